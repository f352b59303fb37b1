package io.margay.protocol.signature;

import io.margay.protocol.http.Fields;
import io.margay.protocol.http.RequestHead;
import io.margay.protocol.http.RequestTarget;
import io.margay.protocol.signature.SignatureFields.Input;
import io.margay.protocol.signature.SignatureFields.Item;
import io.margay.protocol.signature.SignatureFields.Malformed;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A signature of a request (RFC 9421), with what it says of itself. Immutable.
public final class RequestSignature {
    private static final String ED25519 = "ed25519";
    private static final int ED25519_BYTES = 64;

    /// What requests are signed for that bots send (draft-meunier-web-bot-auth-architecture).
    public static final String WEB_BOT_AUTH = "web-bot-auth";

    private final Input input;
    private final byte[] signature;
    private final String base;

    private RequestSignature(Input input, byte[] signature, String base) {
        this.input = input;
        this.signature = signature;
        this.base = base;
    }

    /// Why a request has no signature that can be looked at.
    public enum Fault {
        /// It has none of this kind.
        ABSENT,
        /// Its fields are malformed, or say two things.
        MALFORMED,
        /// It covers what the request has not, or what is not looked at here.
        COMPONENT
    }

    /// What was found.
    public sealed interface Found {
        /// One.
        record One(RequestSignature signature) implements Found {}

        /// None.
        record None(Fault why) implements Found {}
    }

    /// The signature of a request with a tag.
    ///
    /// @param scheme of the request
    public static Found of(RequestHead request, String scheme, String tag) {
        Fields fields = request.fields();
        if (!fields.contains("Signature-Input") || !fields.contains("Signature")) {
            return new Found.None(Fault.ABSENT);
        }
        try {
            Map<String, Input> inputs =
                    SignatureFields.inputs(String.join(", ", fields.all("Signature-Input")));
            Map<String, byte[]> signatures =
                    SignatureFields.signatures(String.join(", ", fields.all("Signature")));
            String label = null;
            for (Map.Entry<String, Input> one : inputs.entrySet()) {
                if (tag.equals(one.getValue().parameters().get("tag"))) {
                    if (label != null) {
                        return new Found.None(Fault.MALFORMED);
                    }
                    label = one.getKey();
                }
            }
            if (label == null) {
                return new Found.None(Fault.ABSENT);
            }
            Input input = inputs.get(label);
            byte[] signature = signatures.get(label);
            String base = input == null ? null : base(input, request, scheme);
            return input == null || signature == null
                    ? new Found.None(Fault.MALFORMED)
                    : base == null
                            ? new Found.None(Fault.COMPONENT)
                            : new Found.One(new RequestSignature(input, signature, base));
        } catch (Malformed e) {
            return new Found.None(Fault.MALFORMED);
        }
    }

    /// The texts of `Signature-Agent`, in either form of the drafts; empty where it is malformed.
    public static List<String> agents(Fields fields) {
        List<String> lines = fields.all("Signature-Agent");
        try {
            return lines.isEmpty() ? List.of() : SignatureFields.texts(String.join(", ", lines));
        } catch (Malformed e) {
            return List.of();
        }
    }

    /// What is signed (RFC 9421 §2.5); null where a component is not there, or is there twice.
    static @Nullable String base(Input input, RequestHead request, String scheme) {
        StringBuilder base = new StringBuilder();
        Set<String> seen = new HashSet<>();
        for (Item item : input.items()) {
            String value = value(item, request, scheme);
            if (value == null || !seen.add(item.text())) {
                return null;
            }
            base.append(item.text()).append(": ").append(value).append('\n');
        }
        return base.append("\"@signature-params\": ").append(input.text()).toString();
    }

    /// The value of a component; null where there is none, or it has parameters that are not looked
    /// at.
    private static @Nullable String value(Item item, RequestHead request, String scheme) {
        if (item.name().startsWith("@")) {
            return item.parameters().isEmpty() ? derived(item.name(), request, scheme) : null;
        }
        boolean plain = item.parameters().isEmpty();
        if (!item.name().equals(item.name().toLowerCase(Locale.ROOT))) {
            return null;
        }
        List<String> lines = request.fields().all(item.name());
        if (lines.isEmpty()) {
            return null;
        }
        if (plain) {
            return String.join(", ", lines.stream().map(String::strip).toList());
        }
        boolean member = item.parameters().keySet().equals(Set.of("key")) && lines.size() == 1;
        return member ? member(lines.getFirst(), item.parameters().get("key")) : null;
    }

    /// The text of a dictionary's member, as `Signature-Agent` has them.
    private static @Nullable String member(String line, @Nullable Object key) {
        String prefix = key + "=";
        String found = null;
        for (String one : line.split(",", -1)) {
            String text = one.strip();
            if (text.startsWith(prefix)) {
                if (found != null) {
                    return null;
                }
                found = text.substring(prefix.length());
            }
        }
        return found;
    }

    private static @Nullable String derived(String name, RequestHead request, String scheme) {
        RequestTarget target = request.target();
        String authority = target.authority();
        String query = target.rawQuery() == null ? "" : "?" + target.rawQuery();
        String at = authority == null ? null : authority(authority, scheme);
        return switch (name) {
            case "@method" -> request.method();
            case "@scheme" -> scheme;
            case "@authority" -> at;
            case "@path" -> target.rawPath();
            case "@query" -> query.isEmpty() ? "?" : query;
            case "@request-target" -> target.raw();
            case "@target-uri" ->
                    at == null ? null : scheme + "://" + at + target.rawPath() + query;
            default -> null;
        };
    }

    /// In lower case, without the usual port (RFC 9421 §2.2.3).
    private static String authority(String authority, String scheme) {
        String lower = authority.toLowerCase(Locale.ROOT);
        String usual = scheme.equals("https") ? ":443" : ":80";
        return lower.endsWith(usual) ? lower.substring(0, lower.length() - usual.length()) : lower;
    }

    // What it says of itself

    /// The name of its key; empty where it says none.
    public String keyId() {
        return text("keyid");
    }

    /// A text that its maker uses once; empty where it says none.
    public String nonce() {
        return text("nonce");
    }

    /// When it was made, in seconds since 1970; -1 where it does not say so.
    public long created() {
        return number("created");
    }

    /// When it ends.
    public long expires() {
        return number("expires");
    }

    private String text(String name) {
        return input.parameters().get(name) instanceof String text ? text : "";
    }

    private long number(String name) {
        return input.parameters().get(name) instanceof Long number ? number : -1;
    }

    /// Whether it covers a component, whatever its parameters.
    public boolean covers(String name) {
        return input.items().stream().anyMatch(item -> item.name().equals(name));
    }

    /// Whether it may be one by Ed25519.
    public boolean isEd25519() {
        String algorithm = text("alg");
        return signature.length == ED25519_BYTES
                && (algorithm.isEmpty() || algorithm.equals(ED25519));
    }

    /// Its octets.
    public byte[] octets() {
        return signature.clone();
    }

    /// What is signed.
    public byte[] base() {
        return base.getBytes(StandardCharsets.ISO_8859_1);
    }
}
