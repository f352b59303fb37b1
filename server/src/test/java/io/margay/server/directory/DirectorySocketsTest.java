package io.margay.server.directory;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;

final class DirectorySocketsTest {
    @Test
    void sockets_areThoseOfTheDirectory_andNoOthers() {
        SocketFactory own = SocketFactory.getDefault();
        assertSame(own, DirectorySockets.with(own, DirectorySockets::getDefault));
        assertThrows(IllegalStateException.class, DirectorySockets::getDefault);
    }
}
