package io.margay.app.upgrade;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.StartException;
import io.margay.transport.ListenerConfig;
import io.margay.transport.handover.ListeningSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a process is given at its start, and the command that starts it.
final class InheritanceTest {
    @TempDir Path folder;

    private static ServerSocketChannel open() throws Exception {
        return ServerSocketChannel.open()
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Test
    void socketsOfSystemd_areTakenByTheirAddress_once() throws Exception {
        try (ServerSocketChannel channel = open()) {
            InetSocketAddress address = (InetSocketAddress) channel.getLocalAddress();
            int descriptor = ListeningSocket.own("", address).descriptor();
            Map<String, String> environment =
                    Map.of("LISTEN_FDS", "1", "LISTEN_PID", "7", "LISTEN_FDNAMES", "web");
            List<ListeningSocket> sockets = SystemdSockets.of(environment, 7, descriptor);
            assertEquals(List.of(new ListeningSocket("web", address, descriptor)), sockets);
            assertEquals(List.of(), SystemdSockets.of(environment, 8, descriptor), "not for us");
            Inheritance inherited = Inheritance.of(sockets);
            InetSocketAddress other = new InetSocketAddress(address.getAddress(), 1);
            assertEquals(ListenerConfig.NO_DESCRIPTOR, inherited.take("http", other));
            assertEquals(descriptor, inherited.take("http", address));
            assertEquals(ListenerConfig.NO_DESCRIPTOR, inherited.take("http", address));
            assertFalse(inherited.isShared(folder));
        }
    }

    @Test
    void somethingElseOfSystemd_isRefused() {
        Map<String, String> environment = Map.of("LISTEN_FDS", "1", "LISTEN_PID", "7");
        assertThrows(StartException.class, () -> SystemdSockets.of(environment, 7, 0));
    }

    @Test
    void socketsOfAnotherProcess_areTakenByTheirName_thoughTheirPortIsAnyOther() throws Exception {
        try (ServerSocketChannel one = open();
                ServerSocketChannel two = open()) {
            InetSocketAddress first = (InetSocketAddress) one.getLocalAddress();
            InetSocketAddress second = (InetSocketAddress) two.getLocalAddress();
            Inheritance inherited =
                    Inheritance.of(
                            List.of(
                                    ListeningSocket.own("http 127.0.0.1:0", first),
                                    ListeningSocket.own("https 127.0.0.1:0", second)));
            InetSocketAddress any = new InetSocketAddress(first.getAddress(), 0);
            assertEquals(
                    ListeningSocket.own("", second).descriptor(),
                    inherited.take("https 127.0.0.1:0", any));
            assertEquals(
                    ListeningSocket.own("", first).descriptor(),
                    inherited.take("http 127.0.0.1:0", any));
        }
    }

    @Test
    void command_isThatOfTheLauncherAsItWasCalled_orOfTheJvm() {
        List<String> own =
                List.of("/jdk/bin/java", "-Xmx1g", "io.margay.app.command.Main", "run", "a.yaml");
        assertEquals(
                List.of("/opt/margay/margay", "run", "a.yaml"),
                NewProcess.command(own, "/opt/margay/margay", List.of()));
        assertEquals(own, NewProcess.command(own, "", List.of()));
        List<String> other = List.of("gateway", "nginx.conf");
        assertEquals(
                List.of("/opt/margay/margay", "gateway", "nginx.conf"),
                NewProcess.command(own, "/opt/margay/margay", other));
        assertEquals(
                List.of("/jdk/bin/java", "-Xmx1g", own.get(2), "gateway", "nginx.conf"),
                NewProcess.command(own, "", other));
    }

    @Test
    void pidFile_namesTheNextProcess_whereItNamedThisOne() throws Exception {
        Path file = folder.resolve("pid");
        Files.writeString(file, "17\n");
        PidFile.replace(file, 18, 19);
        assertEquals("17\n", Files.readString(file));
        PidFile.replace(file, 17, 19);
        assertEquals("19\n", Files.readString(file));
        PidFile.replace(folder.resolve("none"), 17, 19);
        assertTrue(Files.notExists(folder.resolve("none")));
    }
}
