package io.margay.app.listener;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.MargayProcess;
import java.io.DataInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `run --ajp` as a process.
class AjpProcessTest {
    private static final Pattern PORT = Pattern.compile("ajp://127\\.0\\.0\\.1:([0-9]+)/");

    @TempDir Path folder;

    @Test
    void ajp_withSecret_answersPingsAndTellsWhatToPaste() throws Exception {
        Files.writeString(folder.resolve("index.html"), "hello");
        try (MargayProcess process =
                MargayProcess.start(
                        folder, "run", "--static", "/=.", "--ajp", "0", "--ajp-secret", "s3cret")) {
            process.awaitLine(line -> line.contains("ready in"));
            String line = process.awaitLine(text -> text.contains("ajp://"));
            Matcher port = PORT.matcher(line);
            assertTrue(port.find(), line);
            process.awaitLine(text -> text.equals("    worker.margay.port=" + port.group(1)));
            process.awaitLine(text -> text.equals("    worker.margay.secret=s3cret"));
            process.awaitLine(text -> text.startsWith("    ProxyPass \"/\" \"ajp://127.0.0.1:"));
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)))) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(new byte[] {0x12, 0x34, 0, 1, 10});
                DataInputStream in = new DataInputStream(socket.getInputStream());
                assertEquals(0x41420001, in.readInt());
                assertEquals(9, in.readByte());
            }
        }
    }
}
