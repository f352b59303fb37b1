package io.margay.app.migrate;

import io.margay.app.config.LimitSettings;
import io.margay.app.config.LimitSettingsBuilder;
import io.margay.app.config.WorkerSettings;
import io.margay.compat.tomcat.server.TomcatPlan.NumbersPlan;
import io.margay.protocol.http1.Http1Limits;
import io.margay.protocol.http1.Http1LimitsBuilder;
import io.margay.server.config.HttpLimits;
import io.margay.server.dispatch.WorkerLimits;
import io.margay.servlet.settings.ServletLimits;
import java.time.Duration;

/// The limits and threads of a server that stands for a Tomcat: its own, but for what connectors
/// and executors say. Stateless.
final class TomcatLimits {
    private TomcatLimits() {}

    static LimitSettings of(NumbersPlan said) {
        LimitSettings own = LimitSettings.defaults();
        return LimitSettingsBuilder.builder(own)
                .http(http(own.http(), said))
                .servlet(servlet(own.servlet(), said))
                .build();
    }

    private static HttpLimits http(HttpLimits own, NumbersPlan said) {
        Duration connection = said.or("connectionTimeout", Duration.ZERO);
        boolean timed = !connection.isZero();
        Duration pause = timed ? connection : own.bodyTimeout();
        HttpLimits http =
                own.withTimeouts(
                                timed ? connection : own.headTimeout(),
                                said.or("keepAliveTimeout", timed ? connection : own.idleTimeout()),
                                pause,
                                timed ? connection : own.writeTimeout())
                        .withRequestsMax(said.or("maxKeepAliveRequests", own.requestsMax()))
                        .withDrainBytesMax(said.or("maxSwallowSize", (int) own.drainBytesMax()));
        Http1Limits sizes = http.http1();
        int fields = said.or("maxHeaderCount", sizes.fieldsMax());
        int head =
                said.or(
                        "maxHttpRequestHeaderSize",
                        said.or("maxHttpHeaderSize", sizes.headBytesMax()));
        int line =
                head == sizes.headBytesMax()
                        ? sizes.requestLineBytesMax()
                        : head; // One bound for both there.
        Http1Limits changed =
                Http1LimitsBuilder.builder(sizes)
                        .requestLineBytesMax(line)
                        .headBytesMax(head)
                        .fieldsMax(fields)
                        .chunkExtensionBytesMax(
                                said.or("maxExtensionSize", sizes.chunkExtensionBytesMax()))
                        .trailerBytesMax(said.or("maxTrailerSize", sizes.trailerBytesMax()))
                        .build();
        if (head == sizes.headBytesMax() && fields == sizes.fieldsMax()) {
            return http.withHttp1(changed);
        }
        return http.withHttp1(changed).withHttp2(ClientLimitSettings.http2(http.http2(), changed));
    }

    private static ServletLimits servlet(ServletLimits own, NumbersPlan said) {
        return new ServletLimits(
                said.or("maxParameterCount", own.parametersMax()),
                said.or("maxPostSize", own.formBytesMax()),
                said.or("maxPartCount", own.partsMax()),
                Math.max(64, said.or("maxPartHeaderSize", own.partHeaderBytesMax())),
                own.sessionsMax(),
                said.or("asyncTimeout", own.asyncTimeout()),
                own.dispatchDepthMax());
    }

    static WorkerSettings workers(NumbersPlan said) {
        WorkerLimits own = WorkerLimits.defaults();
        int threads = said.or("maxThreads", own.threadsMax());
        return new WorkerSettings(
                said.virtual() ? WorkerSettings.Dispatch.VIRTUAL : WorkerSettings.Dispatch.POOL,
                new WorkerLimits(
                        threads,
                        Math.min(threads, said.or("minSpareThreads", own.threadsKept())),
                        Math.min(own.queuedMax(), said.or("maxQueueSize", own.queuedMax())),
                        said.or("threadsMaxIdleTime", own.idleTimeout())));
    }
}
