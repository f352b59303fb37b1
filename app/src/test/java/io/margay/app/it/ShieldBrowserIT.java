package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The challenge of a shield, in a browser.
final class ShieldBrowserIT {
    @TempDir Path folder;

    @Test
    void browser_answersByItsScript_andComesToThePage() throws Exception {
        Path files = Files.createDirectories(folder.resolve("files"));
        Files.writeString(
                files.resolve("a b.html"),
                "<!doctype html><title>arrived</title><script src=script.js></script>");
        Files.writeString(files.resolve("script.js"), "window.ran = true;");
        Files.writeString(
                folder.resolve("margay.yaml"),
                """
                listeners: [{http: 127.0.0.1:0}]
                hosts:
                  - shield: {challenge: all, without-script: false}
                    routes: {/: {files: files}}
                """);
        try (ServerProcess server = ServerProcess.margay(folder, "run", "margay.yaml");
                Chromium chromium = Chromium.start(folder)) {
            String page = "http://127.0.0.1:" + server.awaitMargay() + "/a%20b.html?x=%22";
            Chromium.Tab tab = chromium.open(page);
            tab.await("document.title === 'arrived' && window.ran");
            assertEquals(page, tab.evaluate("location.href"));
            assertEquals("", tab.evaluate("document.cookie"), "scripts do not see it");
        }
    }
}
