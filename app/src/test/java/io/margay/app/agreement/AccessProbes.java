package io.margay.app.agreement;

import io.margay.app.agreement.AccessProbe.Tls;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/// The requests that a configuration is tried with: every path as it stands, and by chance other
/// spellings, methods, hosts, clients and fields. Stateless.
final class AccessProbes {
    private static final List<String> PATHS =
            List.of(
                    "/",
                    "/index.html",
                    "/a.txt",
                    "/pub",
                    "/pub/",
                    "/pub/f.txt",
                    "/pub/deep/g.txt",
                    "/private",
                    "/private/",
                    "/private/s.txt",
                    "/private/deep/d.txt",
                    "/private/deep/x.bak",
                    "/.git/config",
                    "/notes.bak",
                    "/config.php",
                    "/run.cgi",
                    "/composer.json",
                    "/Mixed/Case.txt",
                    "/al/o.txt",
                    "/al/private/q.txt",
                    "/app/x",
                    "/app/private/y",
                    "/app/pub/z.bak",
                    "/portal/pub/f.txt",
                    "/portal/private/s.txt",
                    "/go/private/s.txt",
                    "/go/app/private/y",
                    "/link.txt",
                    "/linked/s.txt",
                    "/missing",
                    "/private/missing.txt",
                    "/private/.htaccess");

    private static final List<String> SPELT =
            List.of(
                    "/private/s.txt",
                    "/private/deep/d.txt",
                    "/pub/f.txt",
                    "/app/private/y",
                    "/al/private/q.txt",
                    "/.git/config",
                    "/notes.bak",
                    "/config.php",
                    "/portal/private/s.txt");

    private static final List<String> METHODS =
            List.of(
                    "HEAD",
                    "POST",
                    "PUT",
                    "DELETE",
                    "OPTIONS",
                    "TRACE",
                    "PATCH",
                    "PROPFIND",
                    "FOO");

    private static final List<String> FIELDS =
            List.of(
                    "X-Key: k",
                    "X-Key: other",
                    "X-Deny: 1",
                    "User-Agent: BadBot/1.0",
                    "X-Forwarded-For: 10.1.2.3",
                    "X-Forwarded-For: 127.0.0.2",
                    "Referer: http://evil.example/");

    /// Who is in a group, who is not, who is unknown, wrong passwords, and no passwords at all. The
    /// right one is `secret`.
    private static final List<String> USERS =
            List.of(
                    "ada:secret",
                    "ada:secret",
                    "bob:secret",
                    "eve:secret",
                    "ada:wrong",
                    "zoe:secret",
                    "");

    private static final List<String> FIELDS_MALFORMED =
            List.of("Basic", "Basic !!!", "Basic YWRh", "Bearer abc", "Basic OnNlY3JldA==");

    private static final int OF_EACH = 10;

    private AccessProbes() {}

    /// Every path as it stands.
    static List<AccessProbe> plain() {
        return PATHS.stream().map(AccessProbe::get).toList();
    }

    static List<AccessProbe> of(RandomGenerator chance, boolean tls, boolean users) {
        List<AccessProbe> probes = of(chance, tls);
        if (!users) {
            return probes;
        }
        List<AccessProbe> all = new ArrayList<>(probes.subList(0, PATHS.size()));
        probes.forEach(probe -> all.add(probe.withUser(one(chance, USERS))));
        PATHS.forEach(path -> all.add(AccessProbe.get(path).withUser(one(chance, USERS))));
        for (String field : FIELDS_MALFORMED) {
            all.add(any(chance).withField("Authorization: " + field));
        }
        return all;
    }

    private static List<AccessProbe> of(RandomGenerator chance, boolean tls) {
        List<AccessProbe> probes = new ArrayList<>();
        PATHS.forEach(path -> probes.add(AccessProbe.get(path)));
        for (int i = 0; i < OF_EACH; i++) {
            probes.add(AccessProbe.get(spelling(one(chance, SPELT), chance)));
            probes.add(any(chance).withMethod(one(chance, METHODS)));
            probes.add(any(chance).withClient(2 + chance.nextInt(3)));
            probes.add(any(chance).withField(one(chance, FIELDS)));
            String host = one(chance, List.of("b.example", "c.example", "localhost", "A.EXAMPLE"));
            probes.add(any(chance).withHost(host));
            probes.add(
                    any(chance)
                            .withMethod(one(chance, METHODS))
                            .withClient(1 + chance.nextInt(3))
                            .withField(one(chance, FIELDS)));
        }
        if (!tls) {
            return probes;
        }
        List<AccessProbe> all = new ArrayList<>();
        for (AccessProbe probe : probes) {
            Tls how = Tls.values()[chance.nextInt(Tls.values().length)];
            String host = one(chance, List.of("a.example", "b.example", "c.example"));
            all.add(probe.withTls(how).withHost(host));
        }
        return all;
    }

    private static AccessProbe any(RandomGenerator chance) {
        return AccessProbe.get(one(chance, PATHS));
    }

    static <T> T one(RandomGenerator chance, List<T> all) {
        return all.get(chance.nextInt(all.size()));
    }

    /// The same path in other words, or nearly the same.
    private static String spelling(String path, RandomGenerator chance) {
        int second = path.indexOf('/', 1);
        int at = 1 + chance.nextInt(path.length() - 1);
        String encoded = String.format("%%%02x", (int) path.charAt(at));
        return switch (chance.nextInt(22)) {
            case 0, 1 -> path.substring(0, at) + encoded + path.substring(at + 1);
            case 2 -> "/" + path;
            case 3 ->
                    path.substring(0, second < 0 ? 0 : second)
                            + "/"
                            + path.substring(second < 0 ? 0 : second);
            case 4 -> "/." + path;
            case 5 -> "/pub/.." + path;
            case 6 -> "/pub/%2e%2e" + path;
            case 7 -> "/%2E" + path;
            case 8 -> path.toUpperCase(java.util.Locale.ROOT);
            case 9 -> path + "/";
            case 10 -> path + "/extra";
            case 11 -> path + "?q=1";
            case 12 -> path + ";x=1";
            case 13 -> path + "%00";
            case 14 -> path + "%20";
            case 15 -> path + ".";
            case 16 -> path.replaceFirst("(?<=.)/", "%2f");
            case 17 -> path.replaceFirst("(?<=.)/", ";x=1/");
            case 18 -> "http://a.example" + path;
            case 19 -> path.replaceFirst("(?<=.)/", "/./");
            case 20 -> "/missing/../" + path.substring(1);
            default -> path.replaceFirst("(?<=.)/", "%5c");
        };
    }
}
