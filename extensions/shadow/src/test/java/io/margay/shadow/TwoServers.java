package io.margay.shadow;

import static org.junit.jupiter.api.Assertions.assertFalse;

import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.SeenAnswer;
import io.margay.gateway.mirror.Shadow;
import io.margay.gateway.mirror.ShadowLimits;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.HttpVersion;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import java.util.List;
import java.util.Random;
import java.util.function.BiFunction;

/// Two servers as a mirror asks them, without a network.
final class TwoServers {
    final TrafficShadow shadow;
    private final BiFunction<String, String, Answers> old;
    private final BiFunction<String, String, Answers> fresh;
    private final Runnable later;

    /// @param old answers for a path and cookies
    /// @param fresh the same of the new server
    TwoServers(
            double sample,
            BiFunction<String, String, Answers> old,
            BiFunction<String, String, Answers> fresh) {
        this(sample, old, fresh, () -> {});
    }

    /// @param later a second goes by
    TwoServers(
            double sample,
            BiFunction<String, String, Answers> old,
            BiFunction<String, String, Answers> fresh,
            Runnable later) {
        this.old = old;
        this.fresh = fresh;
        this.later = later;
        shadow =
                new TrafficShadow(
                        new CompareConfig(sample, 75, List.of(), List.of(), null, false),
                        ShadowLimits.defaults(),
                        new Random(1),
                        () -> 0);
    }

    /// A request of a client.
    ///
    /// @return what it gets
    Answers get(String target, String cookies) {
        return get(target, cookies, "");
    }

    Answers get(String target, String cookies, String authorization) {
        Fields.Builder fields = new Fields.Builder();
        if (!cookies.isEmpty()) {
            fields.add("Cookie", cookies);
        }
        if (!authorization.isEmpty()) {
            fields.add("Authorization", authorization);
        }
        Fields received = fields.build();
        RequestHead asked = head(target, received);
        Shadow.Pairing pair = shadow.begin(asked, received, false);
        Answers answer = old.apply(target, cookies);
        if (pair != null) {
            SeenAnswer ofOld = answer.seen();
            SeenAnswer ofFresh = fresh.apply(target, pair.cookies()).seen();
            pair.answered(ofOld, ofFresh);
            if (pair.compare(ofOld, ofFresh)
                    && pair.again(ofOld, old.apply(target, cookies).seen())) {
                later.run();
                assertFalse(pair.again(ofOld, old.apply(target, cookies).seen()));
            }
        }
        return answer;
    }

    /// A form that is sent, which the old server alone gets.
    void post(String cookies, Answers answered) {
        Fields.Builder fields = new Fields.Builder();
        fields.add("Cookie", cookies);
        shadow.oldAlone(fields.build(), answered.seen().fields());
    }

    private static RequestHead head(String target, Fields fields) {
        int question = target.indexOf('?');
        String path = question < 0 ? target : target.substring(0, question);
        String query = question < 0 ? null : target.substring(question + 1);
        return new RequestHead(
                "GET",
                new RequestTarget(RequestTarget.Form.ORIGIN, target, path, query, null, null),
                HttpVersion.HTTP_1_1,
                fields,
                RequestHead.NO_BODY,
                false,
                true);
    }

    ShadowResults results() {
        return shadow.results();
    }

    /// Causes with how many answers have them.
    List<String> causes() {
        return results().groups().stream()
                .map(group -> group.count() + " " + group.request() + " " + group.example().cause())
                .toList();
    }
}
