package io.margay.app.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// axe-core, which finds what keeps people from using a page (WCAG 2.2, A and AA, and what it calls
/// best practice). Stateless.
final class Axe {
    /// Runs it; the promise leaves its result in the window.
    private static final String RUN =
            """
            window.found = null;
            axe.run(document).then(
                result => { window.found = result.violations.map(one => one.id + ': '
                    + one.nodes.map(node => node.target.join(' ')).join(', ')).join('\\n'); },
                error => { window.found = 'axe failed: ' + error; });
            'running'\
            """;

    private Axe() {}

    /// What is wrong with the page as it is now, a line for each rule; empty when nothing is.
    static String violations(Chromium.Tab tab) throws IOException, InterruptedException {
        if (tab.evaluate("typeof axe").equals("undefined")) {
            String _ = tab.evaluate(script() + ";'loaded'");
        }
        String _ = tab.evaluate(RUN);
        tab.await("window.found !== null");
        return tab.evaluate("window.found");
    }

    private static String script() throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream("axe.min.js")) {
            if (in == null) {
                throw new IOException("axe.min.js is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
