package io.margay.compat.httpd;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatewayFilesTest {
    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    site.conf, anything, HTTPD
                    site.conf.dev, <VirtualHost *:80>, HTTPD
                    vhosts, '  ServerName www.example.com', HTTPD
                    site.txt, 'ProxyPass / http://127.0.0.1:8080/', HTTPD
                    notes.txt, 'Listen', none
                    notes.txt, 'The server name is known', none
                    site.yaml, 'Listen 80', none
                    app.war, 'Listen 80', none
                    workers.properties, 'worker.list=a', WORKERS
                    """)
    void kind_ofAFile_isFoundByItsNameOrItsLines(String name, String line, String kind)
            throws Exception {
        Path file = Files.writeString(folder.resolve(name), "# first\n" + line + "\n");
        Optional<GatewayFiles.Kind> expected =
                kind.equals("none")
                        ? Optional.empty()
                        : Optional.of(GatewayFiles.Kind.valueOf(kind));
        assertEquals(expected, GatewayFiles.kind(file));
    }
}
