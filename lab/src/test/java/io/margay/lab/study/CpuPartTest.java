package io.margay.lab.study;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CpuPartTest {
    @ParameterizedTest
    @CsvSource({
        "io.margay.transport.libc.Libc, send, KERNEL",
        "sun.nio.ch.SocketDispatcher, write0, KERNEL",
        "io.margay.transport.loop.EventLoop, run, TRANSPORT",
        "io.margay.protocol.http1.Http1RequestDecoder, decode, CODEC",
        "io.margay.server.dispatch.WorkerPool, run, DISPATCH",
        "jdk.internal.misc.Unsafe, unpark, DISPATCH",
        "io.margay.server.exchange.Exchange, dispatch, SERVER",
        "io.margay.servlet.engine.ServletEngine, handle, CONTAINER",
        "org.apache.jsp.heartbeat_jsp, _jspService, PAGE"
    })
    void method_belongsToItsPart(String type, String method, CpuPart part) {
        assertEquals(Optional.of(part), CpuPart.of(type, method));
    }

    @Test
    void methodOfTheJdk_belongsToNone() {
        assertEquals(Optional.empty(), CpuPart.of("java.util.HashMap", "get"));
        assertEquals(Optional.empty(), CpuPart.of("jdk.internal.misc.Unsafe", "getInt"));
    }
}
