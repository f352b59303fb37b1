package io.margay.app.agreement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/// Makes configurations by chance: the same seed makes the same one. Confined to one thread.
public final class AccessCases {
    private static final List<String> FOLDERS = List.of("www", "www/private", "www/pub", "other");

    private static final List<String> OVERRIDES =
            List.of(
                    "AllowOverride None",
                    "AllowOverride All",
                    "AllowOverride AuthConfig",
                    "AllowOverride Limit",
                    "AllowOverride AuthConfig Limit",
                    "AllowOverride AuthConfig Limit FileInfo",
                    "AllowOverride None\nAllowOverrideList Require",
                    "AllowOverride All\nAllowOverrideList None");

    private final RandomGenerator chance;
    private final SectionLines lines;
    private final UserLines users;
    private final StringBuilder text = new StringBuilder();
    private final Map<String, String> files = new LinkedHashMap<>();

    private AccessCases(RandomGenerator chance, RandomGenerator chanceOfPages, UserLines users) {
        this.chance = chance;
        this.users = users;
        lines = new SectionLines(chance, chanceOfPages, users);
    }

    /// The configuration of a seed.
    ///
    /// @param users whether users may have to log in
    public static AccessCase of(long seed, boolean users) {
        RandomGenerator chance = new Random(seed * 0x9e3779b97f4a7c15L);
        UserLines ofUsers = new UserLines(users ? new Random(seed + 0x5eed) : null);
        return new AccessCases(chance, new Random(~seed), ofUsers).make(seed, users);
    }

    private AccessCase make(long seed, boolean ofUsers) {
        boolean tls = chance.nextInt(8) == 0;
        line("Listen 127.0.0.1:@PORT@");
        if (tls) {
            line("Listen 127.0.0.1:@TLS@");
        }
        line("ServerName main.example");
        line("DocumentRoot \"@DIR@/www\"");
        environment();
        users.login().forEach(this::line);
        if (chance.nextInt(4) > 0) {
            line("Alias /al \"@DIR@/other\"");
        }
        some(3, "");
        while (chance.nextInt(3) == 0) {
            line(one(SectionLines.ERROR_DOCUMENTS));
        }
        overrides();
        if (tls) {
            tlsHosts();
        } else if (chance.nextInt(2) == 0) {
            host("*:@PORT@", "a.example");
            host("*:@PORT@", "b.example");
            if (chance.nextBoolean()) {
                host("127.0.0.1:@PORT@", "c.example");
            }
        } else {
            routes();
            if (chance.nextBoolean()) {
                some(2, "");
            }
        }
        return new AccessCase(
                seed, text.toString(), files, tls, AccessProbes.of(chance, tls, ofUsers));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }

    private <T> T one(List<T> all) {
        return AccessProbes.one(chance, all);
    }

    /// Up to `most` sections or lines of a server.
    private void some(int most, String indent) {
        int count = 1 + chance.nextInt(most);
        for (int i = 0; i < count; i++) {
            lines.section(3).forEach(line -> line(indent + line));
        }
    }

    private void environment() {
        line("SetEnvIf X-Key ^k$ allowed");
        line("SetEnvIfNoCase User-Agent badbot bad");
        if (chance.nextBoolean()) {
            line("SetEnvIf Request_URI ^/private denied");
        }
        if (chance.nextInt(6) == 0) {
            line("RemoteIPHeader X-Forwarded-For");
            line("RemoteIPInternalProxy 127.0.0.1");
        }
        if (chance.nextInt(5) == 0) {
            line("TraceEnable " + one(List.of("off", "on")));
        }
    }

    private void overrides() {
        if (chance.nextInt(4) > 0) {
            return;
        }
        boolean all = chance.nextInt(5) > 0;
        line("<Directory \"@DIR@" + (all ? "" : "/" + one(FOLDERS)) + "\">");
        String allowed = chance.nextInt(3) > 0 ? "AllowOverride All" : one(OVERRIDES);
        allowed.lines().forEach(line -> line("  " + line));
        line("</Directory>");
        int count = 1 + chance.nextInt(2);
        for (int i = 0; i < count; i++) {
            String body = String.join("\n", lines.ofFile()) + "\n";
            files.put(one(FOLDERS) + "/.htaccess", body);
        }
    }

    private void host(String address, String name) {
        line("<VirtualHost " + address + ">");
        line("  ServerName " + name);
        if (chance.nextInt(5) == 0) {
            line("  DocumentRoot \"@DIR@/other\"");
        }
        routes();
        if (chance.nextInt(3) > 0) {
            some(3, "  ");
        }
        line("</VirtualHost>");
    }

    /// Rewrites, aliases and peers of a server.
    private void routes() {
        if (chance.nextInt(2) == 0) {
            line("  RewriteEngine On");
            int count = 1 + chance.nextInt(3);
            for (int i = 0; i < count; i++) {
                lines.rewrite().forEach(line -> line("  " + line));
            }
        }
        if (chance.nextInt(3) == 0) {
            line("  " + one(SectionLines.REDIRECTS));
        }
        if (chance.nextInt(3) > 0) {
            one(SectionLines.PASSES).lines().forEach(line -> line("  " + line));
        }
    }

    private void tlsHosts() {
        List<String> names = new ArrayList<>(List.of("a.example", "b.example"));
        if (chance.nextBoolean()) {
            names.add("c.example");
        }
        host("*:@PORT@", "a.example");
        if (chance.nextInt(3) == 0) {
            line("SSLVerifyClient " + one(List.of("none", "optional", "require")));
            line("SSLCACertificateFile @DIR@/first-ca.pem");
        }
        if (chance.nextInt(4) == 0) {
            line("SSLProtocol " + one(List.of("-all +TLSv1.3", "-all +TLSv1.2", "all")));
        }
        for (String name : names) {
            line("<VirtualHost *:@TLS@>");
            line("  ServerName " + name);
            line("  SSLEngine On");
            line("  SSLCertificateFile @DIR@/server.pem");
            line("  SSLCertificateKeyFile @DIR@/server.key");
            if (chance.nextInt(3) > 0) {
                line("  SSLVerifyClient " + one(List.of("none", "optional", "require", "require")));
                String authority = one(List.of("first", "second"));
                line("  SSLCACertificateFile @DIR@/" + authority + "-ca.pem");
            }
            if (chance.nextInt(5) == 0) {
                line("  SSLVerifyDepth " + chance.nextInt(3));
            }
            for (String line : lines.tls()) {
                line("  " + line);
            }
            routes();
            some(2, "  ");
            line("</VirtualHost>");
        }
    }
}
