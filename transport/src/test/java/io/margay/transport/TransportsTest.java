package io.margay.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.transport.epoll.EpollSockets;
import io.margay.transport.factory.Transports;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TransportsTest {
    private static final int BLOCKS = 1000;
    private static final long BLOCK_BYTES = 64 * 1024;

    @Test
    void open_eachName_makesTheTransportOfThatName() throws Exception {
        for (String name : Transports.names()) {
            try (Transport transport = Transports.open(name, TransportConfig.defaults())) {
                assertEquals(name, transport.name());
            }
        }
    }

    @Test
    void open_unknownName_namesTheOthers() {
        IllegalArgumentException failure =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Transports.open("apr", TransportConfig.defaults()));
        assertTrue(failure.getMessage().contains("blocking, nio, native"), failure.getMessage());
    }

    @Test
    void best_onThisMachine_isNativeUnlessItSaysWhy() throws Exception {
        Transports.Choice choice = Transports.best(TransportConfig.defaults());
        try (Transport transport = choice.transport()) {
            boolean possible = EpollSockets.probe().isEmpty();
            assertEquals(possible ? "native" : "nio", transport.name());
            assertFalse(choice.reason().isBlank());
        }
    }

    @Test
    void listen_onTheWildcard_takesBothFamilies() throws Exception {
        Echo.Record record = new Echo.Record();
        for (String name : Transports.names()) {
            try (Transport transport = Transports.open(name, TransportConfig.defaults());
                    Listener listener =
                            transport.listen(
                                    ListenerConfig.of(new InetSocketAddress("0.0.0.0", 0)),
                                    c -> new Echo(c, record))) {
                int port = ((InetSocketAddress) listener.address()).getPort();
                for (String local : List.of("127.0.0.1", "::1")) {
                    try (Socket client = new Socket(local, port)) {
                        client.getOutputStream().write('x');
                        assertEquals('x', client.getInputStream().read(), name + " " + local);
                    }
                }
            }
        }
    }

    @Test
    void probe_withoutNativeAccess_saysHowToEnableIt() throws Exception {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder builder =
                new ProcessBuilder(
                        java, "-Xshare:auto", "io.margay.transport.EchoServer", "native");
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        // Enabling access for a module that is not there leaves it off for all others.
        builder.command().add(1, "--enable-native-access=java.base");
        builder.redirectErrorStream(true);
        Process process = builder.start();
        process.outputWriter().close();
        String output = new String(process.getInputStream().readAllBytes());
        assertTrue(process.waitFor(20, TimeUnit.SECONDS));
        assertTrue(output.contains("--enable-native-access=ALL-UNNAMED"), output);
        assertTrue(output.contains("use nio or blocking"), output);
    }

    /// Blocks of a size that the allocator keeps when they are freed, below one that is not.
    @Test
    void nativeHeap_thatIsTrimmed_isTheSystemsAgain() throws Exception {
        List<Arena> blocks = new ArrayList<>();
        for (int i = 0; i < BLOCKS; i++) {
            Arena block = Arena.ofConfined();
            block.allocate(BLOCK_BYTES).fill((byte) 1);
            blocks.add(block);
        }
        blocks.removeFirst().close();
        Arena last = blocks.removeLast();
        blocks.forEach(Arena::close);
        long kept = residentBytes();
        assertTrue(Transports.trimNativeHeap());
        long freed = kept - residentBytes();
        last.close();
        assertTrue(freed > BLOCKS * BLOCK_BYTES / 2, freed + " bytes");
    }

    private static long residentBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
            }
        }
        throw new IOException("no VmRSS");
    }
}
