package io.margay.gateway.shield;

import io.margay.server.exchange.HtmlText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// The page that a client is challenged with. A script looks for a number, with which the SHA-256
/// of a text begins with zero bits, and goes on with it; who runs no script is led on after some
/// seconds. Stateless.
final class ChallengePage {
    /// Where answers go, followed by the text, `/`, the number or `-`, and the target asked for.
    static final String ANSWER = "/.margay/pass/";

    /// In place of the number.
    static final String NO_NUMBER = "-";

    private static final String SCRIPT =
            """
            (function () {
              var data = document.getElementById('work').dataset;
              var text = data.text + '.', bits = +data.bits, number = 0;
              var primes = [], hash = [], cubes = [];
              for (var n = 2; primes.length < 64; n++) {
                if (primes.every(function (p) { return n % p; })) {
                  primes.push(n);
                  hash.push(part(Math.sqrt(n)));
                  cubes.push(part(Math.cbrt(n)));
                }
              }
              function part(x) { return (x - Math.floor(x)) * 4294967296 | 0; }
              function turn(x, by) { return x >>> by | x << 32 - by; }
              function first(message) {
                var w = [], i, h = hash.slice(0, 8);
                for (i = 0; i < 16; i++) w[i] = 0;
                for (i = 0; i < message.length; i++)
                  w[i >> 2] |= message.charCodeAt(i) << 24 - 8 * (i & 3);
                w[i >> 2] |= 128 << 24 - 8 * (i & 3);
                w[15] = message.length * 8;
                for (i = 16; i < 64; i++) {
                  var a = w[i - 15], b = w[i - 2];
                  w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ a >>> 3)
                      + (turn(b, 17) ^ turn(b, 19) ^ b >>> 10) | 0;
                }
                for (i = 0; i < 64; i++) {
                  var e = h[4], c = h[0];
                  var one = h[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25))
                      + (e & h[5] ^ ~e & h[6]) + cubes[i] + w[i] | 0;
                  var two = (turn(c, 2) ^ turn(c, 13) ^ turn(c, 22))
                      + (c & h[1] ^ c & h[2] ^ h[1] & h[2]) | 0;
                  h = [one + two | 0, c, h[1], h[2], h[3] + one | 0, e, h[5], h[6]];
                }
                return h[0] + hash[0] | 0;
              }
              function work() {
                for (var end = number + 2000; number < end; number++) {
                  if (Math.clz32(first(text + number)) >= bits) {
                    location.replace(data.answer + data.text + '/' + number + data.target);
                    return;
                  }
                }
                setTimeout(work, 0);
              }
              if (navigator.cookieEnabled) work();
              else document.getElementById('cookies').hidden = false;
            })();
            """;

    private static final String STYLE =
            "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;padding:1rem;"
                    + "color:#222;background:#fff}h1{font-size:1.3rem}"
                    + "@media(prefers-color-scheme:dark){body{color:#ddd;background:#111}"
                    + "a{color:#8bf}}";

    /// What the page may do: run its own script, and nothing else.
    static final String POLICY =
            "default-src 'none'; script-src '"
                    + hash(SCRIPT)
                    + "'; style-src '"
                    + hash(STYLE)
                    + "'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

    private ChallengePage() {}

    private static String hash(String text) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /// The page.
    ///
    /// @param text that is to be answered
    /// @param target path and query of the request
    /// @param wait after which who runs no script may go on; null = it may not
    static byte[] of(String text, int bits, String target, @Nullable Duration wait) {
        String shown = HtmlText.of(target);
        String onward = ANSWER + text + "/" + NO_NUMBER + shown;
        String plain =
                wait == null
                        ? "<p>This site needs JavaScript to let you in.</p>"
                        : "<meta http-equiv=\"refresh\" content=\""
                                + (wait.toSeconds() + 1)
                                + ";url="
                                + onward
                                + "\"><p>You are led on in "
                                + (wait.toSeconds() + 1)
                                + " seconds, or by <a rel=\"nofollow\" href=\""
                                + onward
                                + "\">this link</a>.</p>";
        String page =
                "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                        + "<meta name=\"viewport\" content=\"width=device-width\">"
                        + "<meta name=\"robots\" content=\"noindex\"><title>One moment</title>"
                        + "<style>"
                        + STYLE
                        + "</style></head><body><h1>One moment</h1>"
                        + "<p>This site is very busy. Your browser is checked, and then you are led"
                        + " on.</p><p id=\"cookies\" hidden>Please allow cookies for this site, and"
                        + " load the page again.</p><noscript>"
                        + plain
                        + "</noscript><div id=\"work\" data-answer=\""
                        + ANSWER
                        + "\" data-text=\""
                        + text
                        + "\" data-bits=\""
                        + bits
                        + "\" data-target=\""
                        + shown
                        + "\"></div><script>"
                        + SCRIPT
                        + "</script></body></html>\n";
        return page.getBytes(StandardCharsets.UTF_8);
    }
}
