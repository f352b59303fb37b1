package io.margay.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.margay.app.config.file.ConfigFile;
import io.margay.app.deploy.DeployProgress;
import io.margay.app.sample.CountServlet;
import io.margay.app.sample.StoredPartServlet;
import io.margay.testkit.LoggedLines;
import io.margay.testkit.fault.SmallDisk;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A server whose work folder is on a disk that fills up: a small one of its own, which only root
/// may mount.
@Tag("slow")
final class FullDiskTest {
    @TempDir Path folder;
    private Path disk;
    private SmallDisk small;

    @BeforeEach
    void mount() throws IOException {
        small = SmallDisk.mount(folder.resolve("disk"), "6m");
        disk = small.folder();
    }

    @AfterEach
    void unmount() throws IOException {
        if (small != null) {
            small.close();
        }
    }

    private MargayServer start() throws IOException {
        Path app =
                Wars.with("page.jsp", "<%= 6 * 7 %>")
                        .servlet(CountServlet.class, "/count")
                        .servlet(StoredPartServlet.class, "/part")
                        .folder(folder.resolve("app"));
        Path file =
                Files.writeString(
                        folder.resolve("margay.yaml"),
                        """
                        listeners: [{http: 127.0.0.1:0}]
                        admin: 127.0.0.1:0
                        hosts: [{routes: {/: {app: %s}}}]
                        work: disk/work
                        """
                                .formatted(app));
        return MargayServer.start(ConfigFile.read(file, Map.of()).get(), DeployProgress.NONE);
    }

    private static String upload(int port, String query) throws IOException {
        String content =
                "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f\"\r\n\r\n"
                        + "x".repeat(100_000)
                        + "\r\n--b--\r\n";
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(
                            ("POST /part"
                                            + query
                                            + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                                            + "Content-Type: multipart/form-data; boundary=b\r\n"
                                            + "Content-Length: "
                                            + content.length()
                                            + "\r\n\r\n"
                                            + content)
                                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Test
    void pagesAndUploads_withoutRoom_saySo_andWorkWhenThereIsRoomAgain() throws Exception {
        try (MargayServer server = start();
                LoggedLines log = LoggedLines.of("")) {
            int port = server.ports().getFirst();
            Http admin = new Http(server.adminPort());
            assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
            small.fill();
            HttpResponse<String> page = new Http(port).response("/page.jsp");
            assertEquals(503, page.statusCode(), page.body());
            assertEquals("10", page.headers().firstValue("Retry-After").orElse(""));
            assertEquals(1, log.count("there is no room on the disk for the compiled page"));
            String upload = upload(port, "");
            assertTrue(upload.startsWith("HTTP/1.1 507 "), upload);
            assertEquals(1, log.count("there is no room on the disk for the upload"));
            upload = upload(port, "?by=name");
            assertTrue(upload.startsWith("HTTP/1.1 507 "), upload);
            assertEquals(2, log.count("there is no room on the disk for the upload"));
            assertEquals("count 1", new Http(port).get("/count"));
            assertTrue(admin.get("/health").contains("\"diskFull\":true"), admin.get("/health"));
            assertEquals(503, admin.status("/health/full"));
            small.free();
            assertEquals("42", new Http(port).get("/page.jsp").strip());
            upload = upload(port, "");
            assertTrue(upload.startsWith("HTTP/1.1 200 "), upload);
            assertEquals("{\"status\":\"up\"}", admin.get("/health").strip());
        }
    }

    @Test
    void sessions_thatADiskHadNoRoomFor_areCounted_andLaterOnesAreKept() throws Exception {
        MargayServer first = start();
        assertEquals("count 1", new Http(first.ports().getFirst()).get("/count"));
        small.fill();
        first.close();
        assertEquals(1, first.apps().getFirst().deployment().webApp().sessionTotals().lost());
        small.free();
        String cookie;
        try (MargayServer second = start()) {
            Http client = new Http(second.ports().getFirst());
            cookie = client.response("/count").headers().firstValue("Set-Cookie").orElseThrow();
        }
        try (MargayServer third = start()) {
            Http client = new Http(third.ports().getFirst());
            assertEquals("count 2", client.withCookie("/count", cookie.split(";")[0]).body());
        }
    }
}
