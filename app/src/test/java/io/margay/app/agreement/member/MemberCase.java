package io.margay.app.agreement.member;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A configuration that was made by chance, and the requests that it is tried with. Immutable.
///
/// @param alone whether its lines are the main server's, and not a virtual host's
/// @param tls whether its host is asked over TLS
/// @param lines of the host, in which words such as `@DIR@` and `@HTTP@` are yet to be replaced
/// @param files `.htaccess` files by their paths below `@DIR@`
record MemberCase(
        long seed,
        boolean alone,
        boolean tls,
        List<String> lines,
        Map<String, String> files,
        List<MemberProbe> probes) {
    MemberCase {
        lines = List.copyOf(lines);
        files = Map.copyOf(files);
        probes = List.copyOf(probes);
    }

    String host() {
        return "c" + seed + ".example";
    }

    MemberCase withLines(List<String> others) {
        return new MemberCase(seed, alone, tls, others, files, probes);
    }

    MemberCase withFiles(Map<String, String> others) {
        return new MemberCase(seed, alone, tls, lines, others, probes);
    }

    MemberCase withProbes(List<MemberProbe> others) {
        return new MemberCase(seed, alone, tls, lines, files, others);
    }

    /// What all its files say.
    String all() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line).append('\n'));
        new LinkedHashMap<>(files)
                .forEach((name, body) ->
                        text.append("# --- ").append(name).append('\n').append(body));
        return text.toString();
    }
}
