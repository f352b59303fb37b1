package io.margay.server.sight;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.margay.server.meter.TrafficCounts;
import io.margay.server.sight.SightKey.By;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

final class LastHourTest {
    private static final long MINUTE = 60_000_000_000L;
    private static final long MILLI = 1_000_000;

    private final List<Watched> sources = new ArrayList<>();
    private long now = 5;
    private final LastHour hour = new LastHour(SightLimits.defaults(), () -> sources, () -> now);

    private TrafficCounts route(String host, String path, String application) {
        TrafficCounts counts = new TrafficCounts();
        watch(new SightKey(SightKey.Kind.ROUTE, host, path, application), counts);
        hour.follow();
        return counts;
    }

    private void watch(SightKey key, TrafficCounts counts) {
        sources.add(Watched.of(key, counts));
    }

    private static void served(TrafficCounts by, int status, long millis) {
        by.begin();
        by.bytes(10, 100);
        by.end(status, false, millis * MILLI);
    }

    private void minute() {
        now += MINUTE;
        assertEquals(1, hour.tick());
    }

    @Test
    void restNanos_endsWhenATickHasSomethingToDo() {
        hour.follow();
        long second = MINUTE / 60;
        assertEquals(10 * second, hour.restNanos());
        now += 10 * second;
        assertEquals(0, hour.restNanos());
        assertEquals(0, hour.tick());
        assertEquals(10 * second, hour.restNanos());
        now += 45 * second;
        assertEquals(0, hour.tick());
        assertEquals(5 * second, hour.restNanos());
        now += 5 * second;
        assertEquals(1, hour.tick());
        assertEquals(10 * second, hour.restNanos());
    }

    @Test
    void rows_byHostRouteAndApplication_addUpWhatIsOfEach() {
        served(route("a", "/shop/*", "/shop"), 200, 5);
        served(route("a", "/shop/*", "/shop##2"), 503, 50);
        TrafficCounts files = route("a", "/*", "");
        served(files, 404, 1);
        files.begin();
        served(route("b", "/*", ""), 200, 2);
        now += 30_000_000_000L;
        List<LastHour.Row> hosts = hour.rows(By.HOST, 60);
        assertEquals(List.of("a", "b"), hosts.stream().map(row -> row.key().of()).toList());
        LastHour.Row a = hosts.getFirst();
        assertEquals(3, a.requests());
        assertEquals(1, a.active());
        assertEquals(List.of(0L, 1L, 0L, 1L, 1L), a.statuses());
        assertEquals(new LastHour.Bytes(30, 300), a.bytes());
        assertEquals(30, a.seconds());
        assertEquals(0.05, a.quantiles().get(2), 0.05 / 16);
        assertEquals(0.005, a.quantiles().get(0), 0.005 / 16);
        assertEquals(
                List.of("/shop/* 2", "/* 1"),
                hour.rows(By.ROUTE, 60).stream()
                        .filter(row -> row.key().of().equals("a"))
                        .map(row -> row.key().name() + " " + row.requests())
                        .toList());
        assertEquals(
                List.of("/shop", "/shop##2"),
                hour.rows(By.APPLICATION, 60).stream()
                        .map(row -> row.key().application())
                        .sorted()
                        .toList());
        assertEquals(List.of(), hour.rows(By.MEMBER, 60));
    }

    @Test
    void minutes_areShownApart_andForgottenAfterAnHour() {
        TrafficCounts route = route("a", "/*", "");
        served(route, 200, 5);
        minute();
        served(route, 500, 80);
        served(route, 200, 80);
        minute();
        LastHour.Row row = hour.rows(By.ROUTE, 60).getFirst();
        assertEquals(3, row.requests());
        assertEquals(
                List.of(1L, 2L, 0L), row.plot().stream().map(LastHour.Point::requests).toList());
        assertEquals(List.of(0L, 1L, 0L), row.plot().stream().map(LastHour.Point::errors).toList());
        assertEquals(0.08, row.plot().get(1).p99(), 0.08 / 16);
        assertEquals(2, hour.rows(By.ROUTE, 2).getFirst().requests());
        assertEquals(List.of(), hour.rows(By.ROUTE, 1));
        now += 58 * MINUTE;
        assertEquals(58, hour.tick());
        assertEquals(2, hour.rows(By.ROUTE, 60).getFirst().requests());
        minute();
        assertEquals(List.of(), hour.rows(By.ROUTE, 60));
    }

    @Test
    void routeThatHasGone_isStillOfTheHour() {
        served(route("a", "/*", ""), 200, 5);
        sources.clear();
        assertEquals(1, hour.rows(By.HOST, 60).getFirst().requests());
        minute();
        assertEquals(1, hour.rows(By.HOST, 60).getFirst().requests());
    }

    @Test
    void countsThatBeginAnew_areNotNegative() {
        TrafficCounts before = route("a", "/*", "");
        served(before, 200, 5);
        served(before, 200, 5);
        minute();
        sources.clear();
        served(route("a", "/*", ""), 200, 5);
        assertEquals(List.of(0L, 3L, 0L, 0L, 0L), hour.rows(By.ROUTE, 60).getFirst().statuses());
    }

    @Test
    void moreSeriesThanThereIsRoomFor_areCountedAsUnwatched() {
        for (int i = 0; i < SightLimits.defaults().seriesMax() + 3; i++) {
            watch(new SightKey(SightKey.Kind.ROUTE, "a", "/" + i + "/*", ""), new TrafficCounts());
        }
        hour.follow();
        assertEquals(3, hour.unwatched());
        sources.subList(0, 3).clear();
        hour.follow();
        assertEquals(0, hour.unwatched());
    }

    /// What all of it takes is reckoned, and what grows stays within that.
    @Test
    void memory_whenEverySeriesIsBusyWithEveryDuration_isBounded() {
        SightLimits limits = SightLimits.defaults();
        assertTrue(limits.bytesMax() <= 8 << 20, "" + limits.bytesMax());
        List<TrafficCounts> all = new ArrayList<>();
        for (int i = 0; i < limits.seriesMax(); i++) {
            all.add(new TrafficCounts());
            watch(new SightKey(SightKey.Kind.ROUTE, "a", "/" + i + "/*", ""), all.getLast());
        }
        hour.follow();
        Random chance = new Random(3);
        for (int minute = 0; minute < LastHour.MINUTES; minute++) {
            for (TrafficCounts each : all) {
                for (int i = 0; i < 60; i++) {
                    each.begin();
                    each.end(
                            100 + chance.nextInt(500),
                            false,
                            chance.nextLong(1L << chance.nextInt(10, 40)));
                }
            }
            minute();
            assertTrue(hour.bytes() <= limits.hourBytesMax(), "" + hour.bytes());
        }
        LastHour.Row row = hour.rows(By.HOST, LastHour.MINUTES).getFirst();
        assertTrue(hour.bytes() > limits.hourBytesMax() * 0.9, "there was more than has room");
        assertTrue(row.plot().size() > 10 && row.plot().size() < LastHour.MINUTES);
        assertEquals(
                limits.seriesMax() * 60L, row.plot().getFirst().requests(), "a minute is whole");
    }

    /// Sixty minutes of 512 routes, all unpacked at a time, would be 60 MB.
    @Test
    void rows_ofEverythingThereIs_takeFewMegabytes() {
        for (int i = 0; i < SightLimits.defaults().seriesMax(); i++) {
            served(route("a", "/" + i + "/*", ""), 200, 5);
        }
        for (int i = 1; i < LastHour.MINUTES; i++) {
            minute();
            for (Watched each : sources) {
                each.recent().count(MILLI);
            }
        }
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        List<LastHour.Row> rows = hour.rows(By.ROUTE, LastHour.MINUTES);
        long taken = threads.getCurrentThreadAllocatedBytes() - before;
        assertEquals(SightLimits.defaults().seriesMax(), rows.size());
        assertEquals(LastHour.MINUTES, rows.getFirst().plot().size());
        assertTrue(taken < 20_000_000, taken + " bytes");
    }

    @Test
    void whatIsWatched_isListedSeldom_andWhenSomebodyLooks() {
        AtomicInteger asked = new AtomicInteger();
        LastHour seldom =
                new LastHour(
                        SightLimits.defaults(),
                        () -> {
                            asked.incrementAndGet();
                            return sources;
                        },
                        () -> now);
        for (int second = 0; second < 59; second++) {
            now += MINUTE / 60;
            assertEquals(0, seldom.tick());
        }
        assertEquals(5, asked.get());
        assertEquals(List.of(), seldom.rows(By.HOST, 60));
        assertEquals(6, asked.get());
    }

    @Test
    void hour_thatAnotherProcessGoesOnWith_isTheSame() throws IOException {
        TrafficCounts route = route("a", "/*", "/shop");
        served(route, 200, 5);
        minute();
        served(route, 500, 80);
        byte[] written = written();
        LastHour next = new LastHour(SightLimits.defaults(), List::of, () -> 7 * MINUTE);
        next.read(in(written), 1);
        LastHour.Row row = next.rows(By.APPLICATION, 60).getFirst();
        assertEquals("/shop", row.key().application());
        assertEquals(
                List.of(1L, 1L, 0L, 0L),
                row.plot().stream().map(LastHour.Point::requests).toList());
        assertEquals(0.08, row.quantiles().get(3), 0.08 / 16);
        assertEquals(new LastHour.Bytes(20, 200), row.bytes());
    }

    @Test
    void hourCutOffAnywhere_isNotTaken() throws IOException {
        served(route("a", "/*", "/shop"), 200, 5);
        byte[] written = written();
        for (int length = 0; length < written.length; length++) {
            DataInputStream in = in(Arrays.copyOf(written, length));
            LastHour next = new LastHour(SightLimits.defaults(), List::of, () -> 0);
            assertThrows(IOException.class, () -> next.read(in, 0), "" + length);
            assertEquals(List.of(), next.rows(By.HOST, 60));
        }
    }

    private byte[] written() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        hour.write(new DataOutputStream(out));
        return out.toByteArray();
    }

    private static DataInputStream in(byte[] bytes) {
        return new DataInputStream(new ByteArrayInputStream(bytes));
    }

    @Test
    void health_ofAMember_isItsBestAndWorstOfEachMinute_andTravels() throws IOException {
        AtomicReference<MemberHealth> state = new AtomicReference<>(MemberHealth.USABLE);
        TrafficCounts counts = new TrafficCounts();
        sources.add(
                new Watched(
                        SightKey.member("shop", "a"),
                        counts.recent(),
                        () -> new Watched.Numbers(List.of(), 0, 0, 0, 0),
                        state::get));
        route("h", "/*", "");
        hour.follow();
        minute();
        hour.tick();
        state.set(MemberHealth.UNHEALTHY); // for less than a minute, and nobody asks
        hour.tick();
        state.set(MemberHealth.USABLE);
        minute();
        state.set(MemberHealth.STOPPED);
        List<String> wanted = List.of("USABLE USABLE", "USABLE UNHEALTHY", "STOPPED STOPPED");
        assertEquals(wanted, health(hour));
        assertTrue(hour.rows(By.MEMBER, 60).isEmpty(), "there were no requests");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        hour.write(new DataOutputStream(out));
        LastHour other = new LastHour(SightLimits.defaults(), List::of, () -> now);
        other.read(new DataInputStream(new ByteArrayInputStream(out.toByteArray())), 0);
        assertEquals(wanted, health(other).subList(0, 3));
    }

    private static List<String> health(LastHour of) {
        List<LastHour.Health> all = of.health();
        assertEquals(1, all.size());
        return all.getFirst().minutes().stream()
                .map(each -> each == null ? "" : each.best() + " " + each.worst())
                .toList();
    }
}
