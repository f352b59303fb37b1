package io.margay.gateway.health;

import io.margay.gateway.config.HealthConfig;
import io.margay.gateway.config.PeerConfig;
import io.margay.protocol.ajp.AjpAttribute;
import io.margay.protocol.ajp.AjpAttributes;
import io.margay.protocol.ajp.AjpForwardRequest;
import io.margay.protocol.ajp.AjpLimits;
import io.margay.protocol.ajp.AjpRequestEncoder;
import io.margay.protocol.ajp.AjpResponseDecoder;
import java.io.IOException;

/// A check by AJP13: CPING, or a request as a front end sends it. Confined to the check's thread.
final class AjpProbe extends ProbeDialogue {
    private static final String HERE = "127.0.0.1";

    private final AjpLimits limits;
    private final AjpResponseDecoder decoder;
    private int consumed;

    AjpProbe(PeerConfig peer, HealthConfig config) {
        super(peer, config);
        limits = AjpLimits.defaults().withPacketBytesMax(peer.ajp().packetBytesMax());
        decoder = new AjpResponseDecoder(limits);
        decoder.reset(config.kind() == HealthConfig.Kind.HEAD);
    }

    @Override
    byte[] request() throws IOException {
        byte[] bytes = new byte[limits.packetBytesMax()];
        if (config.kind() == HealthConfig.Kind.CPING) {
            return until(bytes, AjpRequestEncoder.encodePing(bytes, 0));
        }
        AjpAttributes attributes =
                new AjpAttributes.Builder().set(AjpAttribute.SECRET, peer.ajp().secret()).build();
        AjpForwardRequest request =
                new AjpForwardRequest(head(), HERE, HERE, "localhost", 80, false, attributes);
        return until(bytes, AjpRequestEncoder.encodeRequest(bytes, 0, limits, request));
    }

    @Override
    Step decode(byte[] buffer, int from, int to) throws IOException {
        consumed = from;
        AjpResponseDecoder.Result result = decoder.decode(buffer, from, to);
        if (result == AjpResponseDecoder.Result.NEED_MORE) {
            return Step.NEED_MORE;
        }
        if (result == AjpResponseDecoder.Result.ERROR) {
            throw new IOException(decoder.error().cause().text());
        }
        consumed = decoder.packetEnd();
        switch (result) {
            case HEAD -> status(decoder.head().status());
            case DATA -> body(buffer, decoder.dataFrom(), decoder.dataTo());
            case END, PONG -> {
                return Step.END;
            }
            case FLUSH, GET_BODY, NEED_MORE, ERROR -> {}
        }
        return Step.GO_ON;
    }

    @Override
    int consumed() {
        return consumed;
    }

    @Override
    boolean endsWithInput() {
        return false;
    }
}
