package io.margay.protocol.ajp;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.margay.protocol.http.RequestHead;
import io.margay.testkit.CutEverywhere;
import java.util.List;
import org.junit.jupiter.api.Assertions;

/// Targets for Jazzer, one for each side. Without Jazzer's agent they replay the corpus.
class AjpFuzzTest {
    private static final AjpLimits LIMITS = AjpLimits.defaults();

    /// Whatever comes, cut in the middle or not: the same verdict, and a request that is taken can
    /// be sent on and is taken again.
    @FuzzTest(maxDuration = "60s")
    void container_anyBytes_areJudgedTheSame(byte[] input) {
        int half = input.length / 2;
        List<String> whole = CutEverywhere.run(new ContainerReceiver(LIMITS), input, input.length);
        List<String> parts =
                CutEverywhere.run(new ContainerReceiver(LIMITS), input, half, input.length);
        Assertions.assertEquals(whole, parts);
        AjpRequestDecoder decoder = new AjpRequestDecoder(LIMITS);
        if (decoder.decode(input, 0, input.length) == AjpRequestDecoder.Result.REQUEST) {
            sendOn(decoder.request());
        }
    }

    private static void sendOn(AjpForwardRequest request) {
        byte[] packet = new byte[16384];
        AjpLimits wide = LIMITS.withPacketBytesMax(16384);
        int end = AjpRequestEncoder.encodeRequest(packet, 0, wide, request);
        AjpRequestDecoder decoder = new AjpRequestDecoder(wide);
        if (decoder.decode(packet, 0, end) == AjpRequestDecoder.Result.REFUSED) {
            // The framing field that was added may be one field too many.
            Assertions.assertEquals(AjpError.TOO_MANY_FIELDS, decoder.error());
            return;
        }
        RequestHead again = decoder.request().head();
        Assertions.assertEquals(request.head().target(), again.target());
        Assertions.assertEquals(request.head().contentLength(), again.contentLength());
    }

    @FuzzTest(maxDuration = "60s")
    void frontEnd_anyBytes_areJudgedTheSame(byte[] input) {
        int half = input.length / 2;
        List<String> whole =
                CutEverywhere.run(new FrontEndReceiver(LIMITS, false), input, input.length);
        List<String> parts =
                CutEverywhere.run(new FrontEndReceiver(LIMITS, false), input, half, input.length);
        Assertions.assertEquals(whole, parts);
    }
}
