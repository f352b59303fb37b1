package io.margay.app.config.rules;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Forms;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.listener.AddressKeys;
import io.margay.app.config.members.UpstreamKeys;
import io.margay.app.yaml.Amounts;
import io.margay.gateway.canary.CanaryConfig;
import io.margay.gateway.canary.CanaryConfig.Step;
import io.margay.gateway.canary.CanaryConfig.Stop;
import io.margay.gateway.config.HashKey;
import io.margay.gateway.config.HedgeConfig;
import io.margay.gateway.mirror.CompareConfig;
import io.margay.gateway.mirror.MirrorConfig;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The keys by which a route gives a part of its requests, or copies of them, to another upstream
/// or to a second member.
public final class CanaryKeys {
    public static final String CANARY_KEY = "canary";
    public static final String VERSION_KEY = "new-version";
    public static final String MIRROR_KEY = "mirror";
    public static final String COMPARE_KEY = "compare";

    private static final int SECRET_CHARS_MIN = 16;
    private static final int COPIES_MAX = 100_000;
    private static final Pattern STEP =
            Pattern.compile("([0-9]{1,3}(?:\\.[0-9]{1,3})?)%(?: for ([0-9a-z]+))?");

    private static final Form<Step> STEPS =
            Forms.parsed(
                    "a share, and how long it lasts, as in 5% for 10m",
                    CanaryKeys::step, CanaryKeys::written);

    private static final Form<HashKey> STICKY =
            Forms.parsed(
                    "session, client, user, or a header or cookie, as in cookie SID",
                    HashKey::ofVersions);

    private static final Keys<Stop> STOP =
            Binding.of("when a canary is taken back", new Stop(1, 0))
                    .form("errors", Forms.percent())
                    .form("p99", Forms.factor())
                    .keys(
                            """
                            errors: How much its rate of 5xx may exceed that of the others.
                            p99: Factor by which its p99 of the time to the response head may exceed
                              that of the others; 0x = any.
                            """);

    public static final Keys<CanaryConfig> CANARY =
            keys(
                    Binding.of("a canary", CanaryConfig.of("-"))
                            .form("to", UpstreamKeys.NAMED)
                            .keys("to [required]: Upstream of the new version.\n"));

    /// The same for a version of an application.
    public static final Keys<CanaryConfig> VERSION =
            keys(Binding.of("a new version", CanaryConfig.of("-")));

    private static Keys<CanaryConfig> keys(Binding<CanaryConfig> first) {
        return first.form("steps", listOrOne("shares", STEPS, 1))
                .form("sticky", STICKY)
                .form("secret", Forms.secret(SECRET_CHARS_MIN))
                .form("networks", AddressKeys.networks(0))
                .form("stop", section(STOP))
                .keys(
                        """
                        steps [required]: Growing shares of the requests, as in `[5% for 10m,
                          25% for 1h]`; after the last step with a time it gets all.
                        sticky: What keeps a client on one version: `session` is a cookie of the
                          gateway, `user` the login here. Requests without it go to the old
                          version.
                        secret [derived from the upstreams' names, which are public]: Secret that
                          divides clients; the same at all gateways.
                        header <a name> [none]: Field by which a client chooses: `always` or
                          `never`.
                        cookie <a name> [none]: The same by a cookie.
                        networks: Whose clients always get the new version.
                        stop [never]: When it is taken back; `{}` = as its keys say by default.
                        """);
    }

    /// A file in a folder that must be there.
    private static final Form<Path> TRACE = Forms.path().as(CanaryKeys::trace, path -> path);

    /// What compares the answers to copies.
    private static final Keys<CompareConfig> COMPARE =
            Binding.of("a comparison", CompareConfig.defaults())
                    .form("sample", Forms.percent())
                    .form("load", Forms.percent())
                    .form("record", TRACE)
                    .keys(
                            """
                            sample: Part of the copied requests that `gateway` gets a second time,
                              to learn what changes from response to response.
                            load: How busy the processors of this machine may be. Above it few
                              requests are compared, in a tenth of the time.
                            ignore <names, each a name>: Fields of answers that are not compared,
                              besides `Date` and similar ones.
                            include <names, each a name>: Fields that are compared although they
                              are not by default, such as `ETag`.
                            record [none]: File into which the requests of clients are written, to
                              be sent again: no content, cookies or credentials.
                            record-queries: Whether values of queries are written, too, but for
                              those that are named as secrets.
                            """);

    /// Copies of requests.
    public static final Keys<MirrorConfig> MIRROR =
            Binding.of("a mirror", MirrorConfig.of("-"))
                    .form("to", UpstreamKeys.NAMED)
                    .form("share", Forms.percent())
                    .form("concurrency", whole(1, COPIES_MAX))
                    .form(COMPARE_KEY, section(COMPARE))
                    .keys(
                            """
                            to [required]: Upstream that gets the copies; its responses are counted
                              and discarded, or compared.
                            share: Part of the requests that is copied.
                            methods <methods, at least one, each a method>: Of which requests; those
                              with content are never copied.
                            credentials: Whether `Cookie`, `Authorization` and `Proxy-Authorization`
                              are copied.
                            concurrency: Copies at a time, at most; further requests are not copied.
                            timeout: Timeout of the response.
                            compare [never]: How the answers are compared with those of `gateway`;
                              `{}` = as its keys say by default.
                            """);

    /// When a second member is asked.
    public static final Form<HedgeConfig> HEDGE =
            Forms.parsed(
                    "a percentile of the response times of the route from p50 to p99, or a time",
                    CanaryKeys::hedge,
                    CanaryKeys::written);

    private CanaryKeys() {}

    private static HedgeConfig hedge(String text) {
        return text.matches("p[0-9]{2}")
                ? HedgeConfig.percentile(Integer.parseInt(text.substring(1)))
                : HedgeConfig.after(Amounts.duration(text));
    }

    private static String written(HedgeConfig hedge) {
        return hedge.percentile() > 0 ? "p" + hedge.percentile() : Amounts.write(hedge.after());
    }

    private static Path trace(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder)) {
            throw new IllegalArgumentException("there is no folder for the file " + file);
        }
        return file;
    }

    private static Step step(String text) {
        Matcher fits = STEP.matcher(text);
        if (!fits.matches()) {
            throw new IllegalArgumentException("");
        }
        String lasts = fits.group(2);
        Duration time = lasts == null ? Duration.ZERO : Amounts.duration(lasts);
        if (lasts != null && time.isZero()) {
            throw new IllegalArgumentException("a step takes longer than 0s");
        }
        return new Step(Double.parseDouble(fits.group(1)), time);
    }

    private static String written(Step step) {
        String share = Forms.decimal(step.percent()) + "%";
        return step.lasts().isZero() ? share : share + " for " + Amounts.write(step.lasts());
    }
}
