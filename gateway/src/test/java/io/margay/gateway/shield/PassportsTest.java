package io.margay.gateway.shield;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.margay.gateway.shield.Passports.Look;
import io.margay.gateway.shield.SharedNonces.Added;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests that bots sign. The signature is one of the Python package http-message-signatures
/// 3.0.0, by the key of RFC 9421 §B.1.4.
final class PassportsTest {
    private static final String AGENT = "https://bot.example";
    private static final String X = "JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs";
    private static final String THUMBPRINT = "poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U";
    private static final long CREATED = 1_767_225_600;
    private static final String INPUT =
            "sig1=(\"@authority\" \"signature-agent\");created=1767225600;keyid=\""
                    + THUMBPRINT
                    + "\";alg=\"ed25519\";expires=1767225900;nonce=\"e8N7S2MFd/qrd6T2R3tdfA\""
                    + ";tag=\"web-bot-auth\"";
    private static final long UNSEEN = Long.MIN_VALUE;
    private static final String SIGNATURE =
            "sig1=:KEQwoKWH8HZIJp6nC/Qo7YCHxNrsWTB2ZA9YnsjagX2dBKal3jU8zB2SBLr4Qq+yvUZtNLLdYJ6o9fst"
                    + "hpIkAQ==:";

    private final AtomicLong seconds = new AtomicLong(CREATED + 10);
    private final AtomicInteger fetched = new AtomicInteger();
    private final AtomicLong nanos = new AtomicLong();

    private Passports passports(KeyDirectory directory, String... keys) {
        return passports(directory, null, Passports.NONCES_MAX, keys);
    }

    private Passports passports(
            KeyDirectory directory, @Nullable SharedNonces group, int noncesMax, String... keys) {
        SignedBot bot = new SignedBot("helper", AGENT, List.of(keys), 1);
        return new Passports(
                List.of(bot),
                directory,
                nanos::get,
                () -> seconds.get() * 1000,
                group,
                new SplittableRandom(1),
                noncesMax);
    }

    private List<KeyDirectory.Key> keys(URI directory) {
        assertEquals(
                URI.create(AGENT + "/.well-known/http-message-signatures-directory"), directory);
        int _ = fetched.incrementAndGet();
        return List.of(new KeyDirectory.Key(X, 0, 0));
    }

    private static RequestHead request(String authority, String... fields) {
        Fields.Builder all = new Fields.Builder();
        for (int i = 0; i < fields.length; i += 2) {
            all.add(fields[i], fields[i + 1]);
        }
        return new RequestHead(
                "GET",
                new RequestTarget(
                        RequestTarget.Form.ORIGIN, "/page?a=b", "/page", "a=b", null, authority),
                HttpVersion.HTTP_1_1,
                all.build(),
                0,
                false,
                true);
    }

    private static RequestHead signed(String authority, String input) {
        return request(
                authority,
                "Signature-Agent",
                "\"" + AGENT + "\"",
                "Signature-Input",
                input,
                "Signature",
                SIGNATURE);
    }

    private static RequestHead signed() {
        return signed("shop.example", INPUT);
    }

    /// Has the keys fetched by another request.
    private void warm(Passports passports) {
        RequestHead other = signed("shop.example", INPUT.replace("e8N7", "e8N8"));
        Eventually.holds(
                "keys are known",
                () ->
                        passports.look(other, "http") instanceof Look.Bad(String why)
                                && why.equals("the signature is another"));
    }

    @Test
    void signatureOfAnotherProgram_isGood_once() {
        Passports passports = passports(this::keys);
        assertInstanceOf(Look.Pending.class, passports.look(signed(), "http"));
        warm(passports);
        assertEquals(
                "helper",
                assertInstanceOf(Look.Good.class, passports.look(signed(), "http")).bot().name());
        assertEquals(new Look.Bad("the nonce was used before"), passports.look(signed(), "http"));
        assertEquals(1, fetched.get());
    }

    @Test
    void nonceThatAnotherGatewayHasSeen_isRefused() throws IOException {
        MemoryStore store = new MemoryStore();
        SharedNonces here = new SharedNonces(store.group("a"), this::now);
        SharedNonces there = new SharedNonces(store.group("b"), this::now);
        Passports one = passports(this::keys, here, Passports.NONCES_MAX);
        Passports other = passports(this::keys, there, Passports.NONCES_MAX);
        warm(one);
        warm(other);
        here.run();
        there.run();
        assertInstanceOf(Look.Good.class, one.look(signed(), "http"));
        Passports reloaded = passports(this::keys, here, Passports.NONCES_MAX);
        warm(reloaded);
        assertEquals(new Look.Bad("the nonce was used before"), reloaded.look(signed(), "http"));
        here.run();
        there.run();
        assertEquals(new Look.Bad("the nonce was used before"), other.look(signed(), "http"));
        here.run();
        SharedNonces third = new SharedNonces(store.group("c"), this::now);
        seconds.addAndGet(-5);
        Passports late = passports(this::keys, third, Passports.NONCES_MAX);
        warm(late);
        third.run();
        assertEquals(new Look.Bad("the nonce was used before"), late.look(signed(), "http"));
    }

    private Instant now() {
        return Instant.ofEpochSecond(seconds.get());
    }

    /// It is not the bot's fault, and none of its nonces may be used twice.
    @Test
    void botWithMoreNoncesThanAreRemembered_hasToWait() {
        Passports passports = passports(this::keys, null, 0);
        warm(passports);
        assertInstanceOf(Look.Full.class, passports.look(signed(), "http"));
    }

    /// A nonce that cannot be kept could be used again.
    @Test
    void groupWithMoreNoncesThanAreKept_hasToWait_andNoneIsForgotten() throws IOException {
        MemoryStore store = new MemoryStore();
        SharedNonces here = new SharedNonces(store.group("a"), this::now);
        SharedNonces there = new SharedNonces(store.group("b"), this::now);
        Passports one = passports(this::keys, here, Passports.NONCES_MAX);
        Passports other = passports(this::keys, there, Passports.NONCES_MAX);
        warm(one);
        warm(other);
        here.run();
        there.run();
        for (int i = 0; i < SharedNonces.COUNT_MAX; i++) {
            assertEquals(Added.NEW, here.add(i, CREATED, CREATED + 60));
        }
        assertInstanceOf(Look.Full.class, one.look(signed(), "http"), "none is told to others");
        for (int i = 0; there.add(-1 - i, CREATED, CREATED + 61) == Added.NEW; i++) {
            here.run();
            there.run();
        }
        assertInstanceOf(Look.Full.class, other.look(signed(), "http"));
        SharedNonces late = new SharedNonces(store.group("c"), this::now);
        late.run();
        assertEquals(Added.USED, late.add(0, CREATED, CREATED + 60));
        assertEquals(Added.USED, late.add(SharedNonces.COUNT_MAX - 1, CREATED, CREATED + 60));
        assertEquals(Added.LATER, late.add(UNSEEN, CREATED, CREATED + 60));
        seconds.addAndGet(60);
        here.run();
        assertEquals(
                Added.LATER,
                here.add(UNSEEN, CREATED, CREATED + 120),
                "clocks of others may be behind");
        seconds.addAndGet(60);
        here.run();
        late.run();
        assertInstanceOf(Look.Good.class, one.look(signed(), "http"), "its nonce was not used");
        assertEquals(Added.NEW, late.add(UNSEEN, CREATED, CREATED + 180));
    }

    /// The host before a reload and the one after it have one memory.
    @Test
    void nonceThatOldAndNewHostSeeAtOnce_isAcceptedOnce() throws Exception {
        SharedNonces here = new SharedNonces(new MemoryStore().group("a"), this::now);
        here.run();
        int count = 20_000;
        AtomicInteger accepted = new AtomicInteger();
        List<Thread> hosts = new ArrayList<>();
        for (int host = 0; host < 2; host++) {
            hosts.add(
                    Thread.ofPlatform()
                            .start(() -> {
                                for (int i = 0; i < count; i++) {
                                    if (here.add(i, CREATED, CREATED + 60) == Added.NEW) {
                                        int _ = accepted.incrementAndGet();
                                    }
                                }
                            }));
        }
        for (Thread host : hosts) {
            host.join();
        }
        assertEquals(count, accepted.get());
    }

    /// Until it has read what others have seen, a gateway accepts what is signed after its start
    /// alone: all else could be a replay.
    @Test
    void gatewayThatHasNotReadTheStore_hasOldSignaturesWait() throws IOException {
        MemoryStore store = new MemoryStore();
        SharedNonces there = new SharedNonces(store.group("b"), this::now);
        there.run();
        assertEquals(Added.NEW, there.add(1, CREATED, CREATED + 600));
        there.run();
        SharedNonces here = new SharedNonces(store.group("a"), this::now);
        Passports passports = passports(this::keys, here, Passports.NONCES_MAX);
        warm(passports);
        assertInstanceOf(Look.Full.class, passports.look(signed(), "http"));
        long began = seconds.get();
        seconds.addAndGet(200);
        assertEquals(Added.LATER, here.add(1, CREATED, CREATED + 600));
        assertEquals(Added.LATER, here.add(2, began + Passports.SKEW_SECONDS, began + 600));
        assertEquals(Added.NEW, here.add(3, began + Passports.SKEW_SECONDS + 1, began + 600));
        assertEquals(Added.USED, here.add(3, began, began + 600));
        here.run();
        assertEquals(Added.USED, here.add(1, CREATED, CREATED + 600));
        assertEquals(Added.NEW, here.add(2, CREATED, CREATED + 600));
        assertInstanceOf(Look.Good.class, passports.look(signed(), "http"));
    }

    @Test
    void fewNoncesOfManySeconds_areJoined_andNoneIsForgotten() throws IOException {
        MemoryStore store = new MemoryStore();
        SharedNonces here = new SharedNonces(store.group("a"), this::now);
        SharedNonces there = new SharedNonces(store.group("b"), this::now);
        int count = 2 * SharedNonces.ENTRIES_MAX + 10;
        here.run();
        for (int i = 0; i < count; i++) {
            assertEquals(Added.NEW, here.add(i, CREATED, CREATED + 3_000));
            here.run();
        }
        there.run();
        for (int i = 0; i < count; i++) {
            assertEquals(Added.USED, there.add(i, CREATED, CREATED + 3_000), "nonce " + i);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "-71, it is not valid at this time", // a minute of skew and one second
        "291, it is not valid at this time",
    })
    void clocksThatDiffer_areBounded(long offset, String why) {
        Passports passports = passports(this::keys);
        warm(passports);
        seconds.addAndGet(offset);
        assertEquals(new Look.Bad(why), passports.look(signed(), "http"));
    }

    @Test
    void clockThatIsALittleSlow_isBorneWith() {
        Passports passports = passports(this::keys);
        warm(passports);
        seconds.addAndGet(-60);
        assertInstanceOf(Look.Good.class, passports.look(signed(), "http"));
    }

    @Test
    void anotherAuthority_isRefused() {
        Passports passports = passports(this::keys);
        warm(passports);
        assertEquals(
                new Look.Bad("the signature is another"),
                passports.look(signed("other.example", INPUT), "http"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "sig1=(\"@path\" \"signature-agent\");created=1767225600;keyid=\"k\""
                        + ";expires=1767225900;nonce=\"n\";tag=\"web-bot-auth\"",
                "sig1=(\"@authority\");created=1767225600;keyid=\"k\""
                        + ";expires=1767225900;nonce=\"n\";tag=\"web-bot-auth\"",
                "sig1=(\"@authority\" \"signature-agent\");keyid=\"k\""
                        + ";expires=1767225900;nonce=\"n\";tag=\"web-bot-auth\"",
                "sig1=(\"@authority\" \"signature-agent\");created=1767225600;keyid=\"k\""
                        + ";nonce=\"n\";tag=\"web-bot-auth\"",
                "sig1=(\"@authority\" \"signature-agent\");created=1767225600;keyid=\"k\""
                        + ";expires=1767325900;nonce=\"n\";tag=\"web-bot-auth\"",
                "sig1=(\"@authority\" \"signature-agent\");created=1767225600;keyid=\"k\""
                        + ";expires=1767225900;tag=\"web-bot-auth\"",
                "sig1=(\"@authority\" \"signature-agent\");tag=\"other\"",
                "sig1=garbage",
            })
    void whatDoesNotSayEnough_isRefused_withoutAskingForKeys(String input) {
        Passports passports = passports(this::keys);
        assertInstanceOf(Look.Bad.class, passports.look(signed("shop.example", input), "http"));
        assertEquals(0, fetched.get());
    }

    @Test
    void requestsWithoutASignature_orOfUnknownBots_areNothing() {
        Passports passports = passports(this::keys);
        assertInstanceOf(Look.Nothing.class, passports.look(request("a"), "http"));
        assertInstanceOf(
                Look.Nothing.class,
                passports.look(
                        request("a", "Signature-Agent", "\"https://unknown.example\""), "http"));
        assertEquals(0, fetched.get());
    }

    @Test
    void keyThatIsNotPinned_isNotBelieved() {
        Passports passports = passports(this::keys, "another");
        assertInstanceOf(Look.Pending.class, passports.look(signed(), "http"));
        Eventually.holds(
                "the key is not known",
                () ->
                        passports
                                .look(signed(), "http")
                                .equals(new Look.Bad("the key is not known")));
        assertEquals(1, fetched.get());
        Passports pinned = passports(this::keys, THUMBPRINT);
        warm(pinned);
        assertInstanceOf(Look.Good.class, pinned.look(signed(), "http"));
    }

    @Test
    void siteThatFails_isAskedAgainAfterAMinute_andKeysAreKept() {
        AtomicInteger asked = new AtomicInteger();
        Passports passports =
                passports(directory -> {
                    if (asked.incrementAndGet() != 2) {
                        throw new IOException("away");
                    }
                    return keys(directory);
                });
        assertInstanceOf(Look.Pending.class, passports.look(signed(), "http"));
        Eventually.holds(
                "it fails",
                () ->
                        passports
                                .look(signed(), "http")
                                .equals(new Look.Bad("the key is not known")));
        assertEquals(1, asked.get());
        nanos.addAndGet(61_000_000_000L);
        warm(passports);
        assertEquals(2, asked.get());
        nanos.addAndGet(2 * 3_600_000_000_000L);
        assertInstanceOf(Look.Good.class, passports.look(signed(), "http"));
        Eventually.holds("it was asked again", () -> asked.get() == 3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://bot.example",
                "https://bot.example/path",
                "https://user@bot.example",
                "https:bot",
                "file:///etc",
            })
    void agent_isASiteWithTls(String agent) {
        assertThrows(IllegalArgumentException.class, () -> new SignedBot("a", agent, List.of(), 1));
    }

    @Test
    void thumbprint_isThatOfTheDraft() {
        assertEquals(THUMBPRINT, Passports.thumbprint(X));
    }
}
