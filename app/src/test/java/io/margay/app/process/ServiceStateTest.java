package io.margay.app.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.testkit.LoggedLines;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class ServiceStateTest {
    @TempDir Path folder;

    @Test
    void states_reachTheSocket() {
        String path = folder.resolve("notify").toString();
        try (NotifySocket receiver = NotifySocket.at(path)) {
            ServiceState state = new ServiceState(path);
            state.ready();
            assertEquals("READY=1", receiver.next());
            state.reloading();
            assertEquals("RELOADING=1", receiver.next());
            state.stopping();
            assertEquals("STOPPING=1", receiver.next());
        }
    }

    @Test
    void states_reachAnAbstractSocket() {
        String name = "@margay-test-" + ProcessHandle.current().pid();
        try (NotifySocket receiver = NotifySocket.at(name)) {
            new ServiceState(name).ready();
            assertEquals("READY=1", receiver.next());
        }
    }

    @Test
    void socket_thatNobodyListensAt_isLogged() {
        String path = folder.resolve("nobody").toString();
        try (LoggedLines log = LoggedLines.of(ServiceState.class.getName())) {
            new ServiceState(path).ready();
            assertEquals(1, log.count("NOTIFY_SOCKET " + path + ": nobody listens there"));
        }
    }

    @Test
    void noSocket_isQuiet() {
        try (LoggedLines log = LoggedLines.of(ServiceState.class.getName())) {
            new ServiceState(null).ready();
            new ServiceState("").ready();
            assertEquals(0, log.count(""));
        }
    }
}
