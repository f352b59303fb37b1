package io.margay.app.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ThreadRoomTest {
    @TempDir Path folder;

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private ThreadRoom room() {
        return new ThreadRoom(folder.resolve("process"), folder.resolve("groups"));
    }

    private void process(int user, String max) throws IOException {
        write("process/status", "Name:\tjava\nUid:\t%1$d\t%1$d\nThreads:\t30\n".formatted(user));
        write(
                "process/limits",
                "Limit                     Soft Limit           Hard Limit           Units\n"
                        + "Max processes             %s              99999         processes\n"
                                .formatted(max));
    }

    @Test
    void systemThatTellsNothing_hasRoom() {
        assertEquals(Long.MAX_VALUE, room().left());
    }

    @Test
    void tightestGroup_ofAllThatTheProcessIsIn_counts() throws IOException {
        write("process/cgroup", "0::/system.slice/margay.service\n");
        write("groups/system.slice/margay.service/pids.max", "max\n");
        write("groups/system.slice/margay.service/pids.current", "40\n");
        assertEquals(Long.MAX_VALUE - 40, room().left());
        write("groups/system.slice/pids.max", "500\n");
        write("groups/system.slice/pids.current", "400\n");
        write("groups/pids.max", "1000\n");
        write("groups/pids.current", "450\n");
        assertEquals(100, room().left());
        assertFalse(room().isShort());
        write("groups/system.slice/margay.service/pids.max", "55\n");
        assertEquals(15, room().left());
        assertTrue(room().isShort());
    }

    /// As with the first version of control groups, in a container that sees itself alone.
    @Test
    void group_ofPidsAlone_counts() throws IOException {
        write("process/cgroup", "9:name=systemd:/\n8:pids:/docker/0123\n4:memory:/x\n0::/\n");
        write("groups/pids/pids.max", "64\n");
        write("groups/pids/pids.current", "60\n");
        assertEquals(4, room().left());
    }

    @Test
    void limitOfTheUser_counts_butForRoot() throws IOException {
        process(1000, "40");
        assertEquals(10, room().left());
        process(1000, "unlimited");
        assertEquals(Long.MAX_VALUE, room().left());
        process(0, "40");
        assertEquals(Long.MAX_VALUE, room().left());
    }
}
