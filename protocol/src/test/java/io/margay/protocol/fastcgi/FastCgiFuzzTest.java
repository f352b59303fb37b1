package io.margay.protocol.fastcgi;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.testkit.CutEverywhere;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/// Targets for Jazzer, one for each side. Without Jazzer's agent they replay the corpus.
class FastCgiFuzzTest {
    private static final FastCgiLimits LIMITS = new FastCgiLimits(1024, 8, 4096, 8);

    @FuzzTest(maxDuration = "60s")
    void gateway_anyBytes_areJudgedTheSame(byte[] input) {
        for (boolean toHead : new boolean[] {false, true}) {
            List<String> whole =
                    CutEverywhere.run(new GatewayReceiver(LIMITS, toHead), input, input.length);
            List<String> parts =
                    CutEverywhere.run(
                            new GatewayReceiver(LIMITS, toHead),
                            input,
                            input.length / 2,
                            input.length);
            Assertions.assertEquals(whole, parts);
        }
    }

    @FuzzTest(maxDuration = "60s")
    void application_anyBytes_areJudgedTheSame(byte[] input) {
        List<String> whole =
                CutEverywhere.run(new ApplicationReceiver(LIMITS), input, input.length);
        List<String> parts =
                CutEverywhere.run(
                        new ApplicationReceiver(LIMITS), input, input.length / 2, input.length);
        Assertions.assertEquals(whole, parts);
    }
}
