package io.margay.app.agreement;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A request that both servers are asked. Immutable.
///
/// @param client the last number of the address 127.0.0.x that it comes from
/// @param fields lines of its head
/// @param content how many bytes it carries
/// @param tls how it is sent
public record AccessProbe(
        String method,
        String target,
        String host,
        int client,
        List<String> fields,
        int content,
        Tls tls) {
    private static final Pattern ENCODED = Pattern.compile("%([2-7][0-9a-fA-F])");

    /// Whether a request comes by TLS, and with whose certificate.
    public enum Tls {
        PLAIN,
        NO_CERTIFICATE,
        FIRST_AUTHORITY,
        SECOND_AUTHORITY
    }

    public AccessProbe {
        fields = List.copyOf(fields);
    }

    static AccessProbe get(String target) {
        return new AccessProbe("GET", target, "a.example", 1, List.of(), 0, Tls.PLAIN);
    }

    /// The same without parameters of its path.
    public AccessProbe withoutParameters() {
        String plain = target.replaceAll(";[^/?]*", "");
        return new AccessProbe(method, plain, host, client, fields, content, tls);
    }

    /// Whether its path begins so that a rule of some configuration rewrites it, however it is
    /// spelt.
    boolean mayBeRewritten() {
        return mayBeBelow("portal") || mayBeBelow("go");
    }

    /// Whether a folder of this name may be in its path, however it is spelt.
    boolean mayBeBelow(String name) {
        String decoded =
                ENCODED.matcher(target)
                        .replaceAll(found ->
                                Matcher.quoteReplacement(
                                        String.valueOf(
                                                (char) Integer.parseInt(found.group(1), 16))));
        return decoded.matches(".*/" + name + "[/;].*");
    }

    /// The same client asking for a page instead.
    public AccessProbe forPage(String page) {
        return new AccessProbe("GET", page, host, client, fields, 0, tls);
    }

    AccessProbe withMethod(String other) {
        int length = other.equals("POST") || other.equals("PUT") ? 20 : 0;
        return new AccessProbe(other, target, host, client, fields, length, tls);
    }

    AccessProbe withHost(String other) {
        return new AccessProbe(method, target, other, client, fields, content, tls);
    }

    AccessProbe withClient(int other) {
        return new AccessProbe(method, target, host, other, fields, content, tls);
    }

    AccessProbe withField(String field) {
        return new AccessProbe(method, target, host, client, List.of(field), content, tls);
    }

    /// @param pair name and password; empty = none
    AccessProbe withUser(String pair) {
        if (pair.isEmpty()) {
            return this;
        }
        List<String> all = new ArrayList<>(fields);
        byte[] octets = pair.getBytes(StandardCharsets.UTF_8);
        all.add("Authorization: Basic " + Base64.getEncoder().encodeToString(octets));
        return new AccessProbe(method, target, host, client, all, content, tls);
    }

    AccessProbe withTls(Tls other) {
        return new AccessProbe(method, target, host, client, fields, content, other);
    }

    @Override
    public String toString() {
        return method
                + " "
                + target
                + " Host: "
                + host
                + " from 127.0.0."
                + client
                + (fields.isEmpty() ? "" : " " + fields)
                + (tls == Tls.PLAIN ? "" : " " + tls);
    }
}
