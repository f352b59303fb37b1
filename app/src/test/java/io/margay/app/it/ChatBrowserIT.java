package io.margay.app.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.margay.app.it.Chromium.Tab;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The example `chat` with two people, in a real browser, served by `./margay run`.
final class ChatBrowserIT {
    @TempDir Path folder;

    @Test
    void people_writeToEachOther_untilTheServerStops() throws Exception {
        Path chat = ServerProcess.checkout().resolve("examples/target/webapps/chat");
        try (ServerProcess margay =
                        ServerProcess.margay(folder, "run", chat.toString(), "--http", "0");
                Chromium browser = Chromium.start(folder)) {
            String page = "http://127.0.0.1:" + margay.awaitMargay() + "/?room=42";
            Tab ann = browser.open(page);
            Tab bob = browser.open(page);
            enter(ann, "Ann");
            ann.await("document.querySelector('#log').innerText.includes('* Ann has come in')");
            enter(bob, "Böb");
            ann.await("document.querySelector('#log').innerText.includes('* Böb has come in')");
            ann.type("#text", "hello & <b>welcome</b>");
            bob.await("document.querySelectorAll('#log li').length == 2");
            bob.type("#text", "こんにちは".repeat(60));
            ann.await("document.querySelectorAll('#log li').length == 4");
            assertEquals(
                    "* Ann has come in|* Böb has come in|Ann: hello & <b>welcome</b>|Böb: "
                            + "こんにちは".repeat(60),
                    lines(ann));
            assertEquals(
                    "", ann.evaluate("socket.extensions.replace(/^permessage-deflate.*/, '')"));
            assertEquals("true", ann.evaluate("socket.extensions != ''"));
            String _ = bob.evaluate("socket.close()");
            ann.await("document.querySelector('#log').innerText.includes('* Böb has left')");
            long begin = System.nanoTime();
            assertEquals(0, margay.terminate(), margay.toString());
            long seconds = (System.nanoTime() - begin) / 1_000_000_000L;
            assertEquals(0, seconds / 20, "an open session does not hold the server up");
            ann.await("document.querySelector('#state').value.startsWith('closed: 1001 ')");
        }
    }

    private static void enter(Tab tab, String name) throws InterruptedException {
        tab.type("#name", name);
        tab.await("document.querySelector('#state').value == 'connected'");
    }

    private static String lines(Tab tab) throws InterruptedException {
        return tab.evaluate(
                "[...document.querySelectorAll('#log li')].map(l => l.textContent).join('|')");
    }
}
