package io.margay.compat.tomcat.server;

import io.margay.compat.account.AccountLine.Verdict;
import io.margay.compat.tomcat.application.TlsValve;
import io.margay.compat.tomcat.application.Valve;
import io.margay.compat.tomcat.client.FrontEndTls;
import io.margay.compat.tomcat.rewrite.HealthCheck;
import io.margay.compat.tomcat.rewrite.RewriteConfig;
import io.margay.servlet.settings.RequestRewriting;
import io.margay.servlet.xml.XmlElement;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The `SSLValve`, the `HealthCheckValve` and the `RewriteValve` of a host, with the rules beside
/// the descriptors of its contexts. Stateless.
final class HostRewriting {
    private HostRewriting() {}

    /// What a host asks before its applications: what a front end says of TLS, the health checks of
    /// its engine and its own, then its rules.
    static List<RequestRewriting> of(Path base, XmlElement engine, XmlElement host)
            throws IOException {
        List<RequestRewriting> all = new ArrayList<>();
        TlsValve tls = TlsValve.of(List.of(engine, host));
        if (tls != null) {
            all.add(read(tls));
        }
        for (XmlElement element : List.of(engine, host)) {
            XmlElement health = valve(element, Valve.Answers.class);
            if (health != null) {
                String path = health.attributes().getOrDefault("path", HealthCheck.PATH);
                all.add(new HealthCheck(path, false));
            }
        }
        RewriteConfig.Read read = read(base, engine, host);
        if (read != null) {
            all.add(read.rules());
        }
        return all;
    }

    private static FrontEndTls read(TlsValve valve) {
        try {
            return valve.read();
        } catch (ServletException e) {
            throw new IllegalStateException("the account has refused it", e);
        }
    }

    /// Tells what becomes of each `SSLValve` of an element and of those in it.
    static void tellTls(List<XmlElement> around, ElementAccount account) {
        XmlElement element = around.getLast();
        TlsValve valve = TlsValve.of(around);
        if (valve != null && element.children().contains(valve.element())) {
            try {
                FrontEndTls _ = valve.read();
                if (valve.isListed()) {
                    account.tell(valve.element(), Verdict.HONOURED, "from the listed proxies");
                } else {
                    account.tell(valve.element(), Verdict.CHANGED, TlsValve.UNLISTED);
                }
            } catch (ServletException e) {
                account.tell(valve.element(), Verdict.WRONG, String.valueOf(e.getMessage()));
            }
        }
        for (XmlElement child : element.children()) {
            if (!child.children().isEmpty()) {
                List<XmlElement> within = new ArrayList<>(around);
                within.add(child);
                tellTls(within, account);
            }
        }
    }

    private static @Nullable XmlElement valve(XmlElement element, Class<? extends Valve> kind) {
        for (XmlElement valve : element.all("Valve")) {
            boolean on =
                    !valve.attributes().getOrDefault("enabled", "true").equalsIgnoreCase("false");
            String type = valve.attributes().getOrDefault("className", "");
            if (on && kind.isInstance(Valve.named(type))) {
                return valve;
            }
        }
        return null;
    }

    private static Path file(Path base, XmlElement engine, XmlElement host, XmlElement valve) {
        return base.resolve("conf")
                .resolve(engine.attributes().getOrDefault("name", "Catalina"))
                .resolve(host.attributes().getOrDefault("name", "localhost"))
                .resolve(valve.attributes().getOrDefault("resourcePath", "rewrite.config"));
    }

    /// The rules of a host; null = it has none.
    static RewriteConfig.@Nullable Read read(Path base, XmlElement engine, XmlElement host)
            throws IOException {
        XmlElement valve = valve(host, Valve.Rewrites.class);
        Path file = valve == null ? null : file(base, engine, host, valve);
        return file == null || !Files.isRegularFile(file)
                ? null
                : RewriteConfig.of(Files.readAllLines(file), base, false);
    }

    /// Tells what becomes of the rules of a host, and of a valve of its engine, which has none.
    static void tell(Path base, XmlElement engine, XmlElement host, ElementAccount account) {
        XmlElement outer = valve(engine, Valve.Rewrites.class);
        if (outer != null) {
            account.tell(outer, Verdict.NOTED, "has no rules, as in Tomcat: put it into the Host");
        }
        XmlElement valve = valve(host, Valve.Rewrites.class);
        if (valve == null) {
            return;
        }
        Path file = file(base, engine, host, valve);
        try {
            RewriteConfig.Read read = read(base, engine, host);
            account.tell(
                    valve,
                    Verdict.HONOURED,
                    read == null ? file + " is not there: nothing is rewritten" : file.toString());
            if (read != null) {
                read.problems()
                        .forEach(problem ->
                                account.tell(
                                        file.toString(),
                                        problem.line(),
                                        "RewriteValve",
                                        Verdict.WRONG,
                                        problem.text()));
            }
        } catch (IOException e) {
            account.tell(valve, Verdict.WRONG, file + " cannot be read: " + e.getMessage());
        }
    }
}
