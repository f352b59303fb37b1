package io.margay.app.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.MargayServer;
import io.margay.app.PlanServer;
import io.margay.compat.httpd.GatewayFiles;
import io.margay.testkit.RawHttpClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Rules of httpd's files that look at the request line.
final class RequestLineRulesTest {
    @TempDir Path folder;

    private static int status(MargayServer server, String requestLine) throws IOException {
        InetSocketAddress address = (InetSocketAddress) server.addresses().getFirst();
        try (RawHttpClient client = RawHttpClient.connect(address)) {
            client.send(requestLine + "\r\nHost: a\r\n\r\n");
            return client.response().status();
        }
    }

    @Test
    void requestByAnOldVersion_isRefused_whereRulesDo() throws IOException {
        Files.writeString(Files.createDirectory(folder.resolve("www")).resolve("a.txt"), "a");
        Path conf =
                Files.writeString(
                        folder.resolve("httpd.conf"),
                        """
                        Listen 127.0.0.1:0
                        DocumentRoot %1$s/www
                        <Directory %1$s/www>
                          Require all granted
                        </Directory>
                        RewriteEngine On
                        RewriteCond %%{THE_REQUEST} HTTP/1\\.0$
                        RewriteRule ^ - [F]
                        """
                                .formatted(folder));
        try (MargayServer server =
                PlanServer.start(
                        GatewayFiles.read(List.of(conf), Map.of()), folder.resolve("work"))) {
            assertEquals(200, status(server, "GET /a.txt HTTP/1.1"));
            assertEquals(403, status(server, "GET /a.txt HTTP/1.0"));
        }
    }
}
