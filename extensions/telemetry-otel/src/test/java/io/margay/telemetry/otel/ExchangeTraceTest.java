package io.margay.telemetry.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.server.exchange.Attempt;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Relay;
import io.margay.server.steps.Steps.About;
import io.margay.server.steps.Steps.Followed;
import io.margay.server.steps.Steps.Kind;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// The spans of one exchange: how many there are, and that each one's parent is sent.
final class ExchangeTraceTest {
    private static final int STEPS_MAX = StepTrace.STEPS_MAX;

    private final List<ReadableSpan> sent = new ArrayList<>();
    private final SdkTracerProvider sdk =
            SdkTracerProvider.builder()
                    .setSampler(new RecordingSampler(Sampler.alwaysOff()))
                    .addSpanProcessor(new SpanGate()) // without any, spans record nothing
                    .build();
    private final Span request = sdk.get("test").spanBuilder("request").startSpan();
    private final ExchangeTrace.Clock clock = new ExchangeTrace.Clock();
    private final StepTrace steps = new StepTrace(sdk.get("test"), clock, sent::add);
    private final ExchangeTrace trace = new ExchangeTrace(sdk.get("test"), request, clock, steps);

    private static Exchange exchange() {
        RequestHead head =
                new RequestHead(
                        "GET",
                        new RequestTarget(RequestTarget.Form.ORIGIN, "/", "/", null, null, null),
                        HttpVersion.HTTP_1_1,
                        Fields.EMPTY,
                        RequestHead.NO_BODY,
                        false,
                        true);
        return (Exchange)
                Proxy.newProxyInstance(
                        Exchange.class.getClassLoader(),
                        new Class<?>[] {Exchange.class},
                        (_, method, _) -> answer(head, method.getName()));
    }

    private static @Nullable Object answer(RequestHead head, String method) {
        return switch (method) {
            case "request" -> head;
            case "scheme", "requestId" -> "http";
            case "remote", "peer" -> new InetSocketAddress("127.0.0.1", 80);
            case "status" -> 200;
            case "committed" -> true;
            case "micros", "startNanos" -> 0L;
            default -> null;
        };
    }

    /// Ends the request, whose spans are kept.
    private void end(Exchange exchange) {
        trace.end(exchange);
        assertTrue(trace.isOver());
        sent.addAll(trace.finished(exchange));
        trace.decide(true);
    }

    private void assertNoOrphan() {
        Set<String> known = new HashSet<>();
        sent.forEach(each -> known.add(each.getSpanContext().getSpanId()));
        for (ReadableSpan each : sent) {
            boolean isRequest = each.getSpanContext().equals(request.getSpanContext());
            assertTrue(isRequest || known.contains(each.getParentSpanContext().getSpanId()));
        }
    }

    @Test
    void attempts_beyondTheBound_giveMembersTheRequest_forAParent() {
        Exchange exchange = exchange();
        Relay to = new Relay("shop", "one", false);
        Set<String> told = new HashSet<>();
        for (int i = 0; i < ExchangeTrace.ATTEMPTS_MAX + 2; i++) {
            told.add(trace.attempt(exchange, to).getSpanId());
            trace.attempted(exchange, new Attempt(to, "http", "a", 80, 503, null, 1));
        }
        end(exchange);
        assertEquals(ExchangeTrace.ATTEMPTS_MAX + 1, sent.size());
        sent.forEach(each -> told.remove(each.getSpanContext().getSpanId()));
        assertEquals(Set.of(), told, "members have parents that are not sent");
    }

    @Test
    void steps_beyondTheBound_areNotDescribed() {
        for (int i = 0; i < STEPS_MAX; i++) {
            step(Kind.STATEMENT).end(null);
        }
        assertNull(trace.begin(Kind.STATEMENT, () -> fail("is described")));
        assertEquals(1, steps.leftOut());
        end(exchange());
        assertEquals(STEPS_MAX + 1, sent.size());
    }

    @Test
    void stepsOfMessages_whichAreHeld_haveTheirParents() {
        for (int i = 0; i < STEPS_MAX; i++) {
            Followed message = trace.begin(Kind.MESSAGE, () -> about(Kind.MESSAGE));
            if (message != null) {
                Followed within = message.begin(Kind.STATEMENT, () -> about(Kind.STATEMENT));
                if (within != null) {
                    within.end(null);
                }
                message.end(null);
            }
        }
        end(exchange());
        assertEquals(STEPS_MAX + 1, sent.size());
        assertNoOrphan();
    }

    private Followed step(Kind kind) {
        return Objects.requireNonNull(trace.begin(kind, () -> about(kind)));
    }

    private static About about(Kind kind) {
        return new About(kind, "a", "b", "c", "d");
    }
}
