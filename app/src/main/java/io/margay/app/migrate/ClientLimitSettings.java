package io.margay.app.migrate;

import io.margay.app.config.LimitSettings;
import io.margay.app.config.LimitSettingsBuilder;
import io.margay.compat.httpd.plan.ClientLimits;
import io.margay.gateway.config.PeerLimits;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1LimitsBuilder;
import io.margay.protocol.http2.Http2Limits;
import io.margay.protocol.http2.Http2LimitsBuilder;
import io.margay.server.config.HttpLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The limits of a server that stands for httpd: its own, but for what httpd's files say.
/// Stateless.
final class ClientLimitSettings {
    /// What a request may have beside its longest fields, bytes: as much as by default.
    private static final int REST_BYTES = 8_192;

    /// What a header block of HTTP/2 may be longer than a head, for names and indexes, times.
    private static final int ENCODED_TIMES = 2;

    /// What a head for a peer may be longer than that of the client, bytes: what the gateway adds.
    private static final int ADDED_BYTES = 16_384;

    private ClientLimitSettings() {}

    /// @param gateway whether there are upstreams
    static LimitSettings of(ClientLimits said, boolean gateway) {
        LimitSettings defaults = LimitSettings.defaults();
        LimitSettings own = gateway ? defaults.forGateway() : defaults;
        HttpLimits http = times(own.http(), said);
        Integer line = said.lineBytes();
        Integer field = said.fieldBytes();
        Integer fields = said.fields();
        if (line == null && field == null && fields == null) {
            return LimitSettingsBuilder.builder(own).http(http).build();
        }
        Http1Limits sizes = http.http1();
        int lineBytes = line == null ? sizes.requestLineBytesMax() : Math.max(16, line);
        // A ticket and cookies of the greatest length, and what else there is.
        int headBytes =
                Math.max(
                        sizes.headBytesMax(),
                        lineBytes + REST_BYTES + (field == null ? 0 : 2 * field));
        int fieldsMax = fields == null ? sizes.fieldsMax() : Math.max(1, fields);
        Http1Limits changed =
                Http1LimitsBuilder.builder(sizes)
                        .requestLineBytesMax(lineBytes)
                        .headBytesMax(headBytes)
                        .fieldsMax(fieldsMax)
                        .fieldBytesMax(field == null ? sizes.fieldBytesMax() : Math.max(1, field))
                        .build();
        http = http.withHttp1(changed).withHttp2(http2(http.http2(), changed));
        PeerLimits peers = own.peers();
        int sent = Math.max(peers.requestHeadBytesMax(), headBytes + ADDED_BYTES);
        return LimitSettingsBuilder.builder(own)
                .http(http)
                .peers(peers.withRequestHeadBytesMax(sent))
                .build();
    }

    private static HttpLimits times(HttpLimits own, ClientLimits said) {
        Duration pause = said.pause();
        Duration grace = said.bodyGrace();
        Integer rate = said.bodyRate();
        Integer requests = said.requests();
        HttpLimits http =
                own.withTimeouts(
                        or(said.head(), own.headTimeout()),
                        or(said.idle(), own.idleTimeout()),
                        or(pause, own.bodyTimeout()),
                        or(pause, own.writeTimeout()));
        // A client may pause for as long as is said before it must have a rate.
        Duration free =
                pause == null || pause.compareTo(own.rateGrace()) < 0 ? own.rateGrace() : pause;
        http =
                http.withRates(
                        or(grace, free),
                        rate == null ? own.bodyRateMin() : rate,
                        own.writeRateMin());
        return requests == null ? http : http.withRequestsMax(Math.max(1, requests));
    }

    /// The limits of HTTP/2 that fit those of HTTP/1.
    static Http2Limits http2(Http2Limits own, Http1Limits sizes) {
        int head = sizes.headBytesMax();
        int block = Math.max(own.headerBlockBytesMax(), ENCODED_TIMES * head);
        return Http2LimitsBuilder.builder(own)
                .headBytesMax(head)
                .fieldsMax(sizes.fieldsMax())
                .fieldBytesMax(sizes.fieldBytesMax())
                .targetBytesMax(sizes.requestLineBytesMax())
                .headerBlockBytesMax(block)
                .continuationsMax(
                        Math.max(own.continuationsMax(), block / own.firstWindowBytes() * 8))
                .decodedBytesMax(Math.max(own.decodedBytesMax(), block))
                .build();
    }

    private static Duration or(@Nullable Duration said, Duration own) {
        return said == null ? own : said;
    }
}
