package io.margay.server.ajp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.server.config.AjpConfig;
import io.margay.server.config.HttpLimits;
import io.margay.testkit.program.Program;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// AJP13 as strangers see it: nmap's scripts, and the probe of CVE-2020-1938 written down by hand.
class NmapTest {

    private static String scan(int port, String script) throws Exception {
        Path out = Files.createTempFile("margay-nmap", ".txt");
        Process nmap =
                new ProcessBuilder(
                                Program.of("nmap"),
                                "--unprivileged",
                                "-Pn",
                                "-n",
                                "-p",
                                Integer.toString(port),
                                "--script",
                                "+" + script,
                                "127.0.0.1")
                        .redirectErrorStream(true)
                        .redirectOutput(out.toFile())
                        .start();
        try {
            assertTrue(nmap.waitFor(60, TimeUnit.SECONDS), "nmap takes too long");
            return Files.readString(out);
        } finally {
            nmap.destroyForcibly();
            Files.delete(out);
        }
    }

    @Test
    void nmap_withoutSecret_learnsWhatTheApplicationTells() throws Exception {
        try (AjpServer server =
                new AjpServer(
                        "nio",
                        Repertoire::handle,
                        AjpConfig.withoutSecret(),
                        HttpLimits.defaults())) {
            int port = server.address().getPort();
            assertTrue(scan(port, "ajp-request").contains("not found"), "the body of /");
            assertFalse(scan(port, "ajp-auth").contains("ERROR"));
            assertFalse(scan(port, "ajp-methods").contains("ERROR"));
            String headers = scan(port, "ajp-headers");
            assertFalse(headers.contains("ERROR"), headers);
        }
    }

    @Test
    void nmap_againstASecret_isForbidden() throws Exception {
        try (AjpServer server = new AjpServer("nio", Repertoire::handle)) {
            String request = scan(server.address().getPort(), "ajp-request");
            assertTrue(request.contains("403"), request);
            assertFalse(request.contains("not found"), request);
        }
    }

    /// The packet that read any file of a web application.
    @Test
    void ghostcat_byHand_is403_cve2020_1938() throws Exception {
        for (AjpConfig config :
                new AjpConfig[] {AjpConfig.withoutSecret(), AjpConfig.withSecret("s3cret")}) {
            try (AjpServer server =
                            new AjpServer(
                                    "nio", Repertoire::handle, config, HttpLimits.defaults());
                    Socket socket =
                            new Socket(server.address().getAddress(), server.address().getPort())) {
                socket.setSoTimeout(10_000);
                socket.getOutputStream().write(ghostcat());
                DataInputStream in = new DataInputStream(socket.getInputStream());
                assertEquals(0x4142, in.readUnsignedShort());
                int length = in.readUnsignedShort();
                assertTrue(length > 3);
                assertEquals(4, in.readUnsignedByte());
                assertEquals(403, in.readUnsignedShort());
            }
        }
    }

    private static byte[] ghostcat() throws IOException {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(payload);
        out.writeByte(2);
        out.writeByte(2);
        string(out, "HTTP/1.1");
        string(out, "/asdf");
        string(out, "127.0.0.1");
        out.writeShort(0xffff);
        string(out, "127.0.0.1");
        out.writeShort(80);
        out.writeByte(0);
        out.writeShort(2);
        out.writeShort(0xa00b);
        string(out, "127.0.0.1");
        out.writeShort(0xa008);
        string(out, "0");
        attribute(out, "javax.servlet.include.request_uri", "/");
        attribute(out, "javax.servlet.include.path_info", "WEB-INF/web.xml");
        attribute(out, "javax.servlet.include.servlet_path", "/");
        out.writeByte(0xff);
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        DataOutputStream framed = new DataOutputStream(packet);
        framed.writeShort(0x1234);
        framed.writeShort(payload.size());
        payload.writeTo(framed);
        return packet.toByteArray();
    }

    private static void attribute(DataOutputStream out, String name, String value)
            throws IOException {
        out.writeByte(0x0a);
        string(out, name);
        string(out, value);
    }

    private static void string(DataOutputStream out, String text) throws IOException {
        out.writeShort(text.length());
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.writeByte(0);
    }
}
