package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.directory.Directory;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.login.Login;
import io.margay.server.directory.DirectoryAccess;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads `AuthLDAPURL` and its kin of a section, and what `Require ldap-…` asks. Confined to one
/// reading.
final class HttpdDirectory {
    /// `ldap://HOST[:PORT] …/BASE?ATTRIBUTES?SCOPE?FILTER`.
    private static final Pattern URL =
            Pattern.compile(
                    "(?i)(ldaps?)://([^/?]+)/([^?]*)(?:\\?([^?]*))?(?:\\?([^?]*))?(?:\\?([^?]*))?");

    private static final Pattern ATTRIBUTE = Pattern.compile("[A-Za-z][A-Za-z0-9;.-]*");

    /// Those that are followed only when they say this.
    private static final Map<String, String> DEFAULTS =
            Map.of(
                    "authldapbindauthoritative", "on",
                    "authldapcompareasuser", "off",
                    "authldapdereferencealiases", "always",
                    "authldapinitialbindasuser", "off",
                    "authldapremoteuserisdn", "off",
                    "authldapsearchasuser", "off");

    private static final Set<String> WITHOUT_EFFECT =
            Set.of("authldapauthorizeprefix", "authldapcomparednonserver");

    /// Where `AuthLDAPMaxSubGroupDepth` is not said; httpd's pages say 0, and httpd does this.
    private static final int SUB_GROUP_DEPTH = 10;

    private final ReadingContext context;
    private final Map<String, HttpdNode> said = new TreeMap<>();
    private final List<String> members = new ArrayList<>();
    private final List<String> subgroups = new ArrayList<>();
    private final List<String> subgroupClasses = new ArrayList<>();

    /// What the directory gets when it asks for a certificate: its file and that of its key.
    private final Map<String, Path> shown = new TreeMap<>();

    private boolean built;

    HttpdDirectory(ReadingContext context) {
        this.context = context;
    }

    static boolean knows(String key) {
        return key.startsWith("authldap") || key.equals("ldaptrustedclientcert");
    }

    /// Takes a directive.
    void read(HttpdNode node) {
        String key = node.key();
        String word = node.argument(0);
        boolean one = node.size() == 1;
        boolean sound =
                switch (key) {
                    case "authldapurl" -> url(node) != null;
                    case "authldapbinddn" -> one && !word.isEmpty();
                    case "authldapbindpassword" ->
                            one
                                    && !word.isEmpty()
                                    && !word.toLowerCase(Locale.ROOT).startsWith("exec:");
                    case "authldapremoteuserattribute" -> one && ATTRIBUTE.matcher(word).matches();
                    case "authldapgroupattribute",
                            "authldapsubgroupattribute",
                            "authldapsubgroupclass" ->
                            one && ATTRIBUTE.matcher(word).matches();
                    case "authldapmaxsubgroupdepth" ->
                            one
                                    && word.matches("[0-9]{1,4}")
                                    && Integer.parseInt(word) <= Directory.Nested.DEPTH_MAX;
                    case "authldapgroupattributeisdn" -> one && word.matches("(?i)on|off");
                    case "ldaptrustedclientcert" -> isShown(node);
                    default -> one && word.equalsIgnoreCase(DEFAULTS.getOrDefault(key, ""));
                };
        if (WITHOUT_EFFECT.contains(key)) {
            context.noted(node, "names are compared here");
        } else if (sound) {
            context.honoured(node);
            said.put(key, node);
            switch (key) {
                case "authldapgroupattribute" -> members.add(word);
                case "authldapsubgroupattribute" -> subgroups.add(word);
                case "authldapsubgroupclass" -> subgroupClasses.add(word);
                default -> {}
            }
        } else {
            context.wrong(node, "what it says is not supported" + remedy(key));
        }
    }

    private boolean isShown(HttpdNode node) {
        String type = node.argument(0).toLowerCase(Locale.ROOT);
        boolean known = node.size() == 2 && type.matches("(cert|key)_base64");
        Path file = known && !context.isOfFolder() ? context.path(node.argument(1)) : null;
        return file != null && shown.putIfAbsent(type, file) == null;
    }

    private static String remedy(String key) {
        String word = DEFAULTS.get(key);
        return word != null
                ? ": " + word + " is"
                : switch (key) {
                    case "authldapurl" ->
                            ": write ldap://HOST/BASE?ATTRIBUTE?SCOPE?FILTER, or ldaps, and"
                                    + " STARTTLS behind it for TLS";
                    case "authldapbindpassword" -> ": write the password itself";
                    case "ldaptrustedclientcert" ->
                            ": write CERT_BASE64 FILE and KEY_BASE64 FILE, once each, in PEM and"
                                    + " without a password";
                    case "authldapmaxsubgroupdepth" ->
                            ": 0 to " + Directory.Nested.DEPTH_MAX + " are";
                    default -> "";
                };
    }

    private static @Nullable Matcher url(HttpdNode node) {
        Matcher matcher = URL.matcher(node.argument(0));
        boolean mode =
                node.size() == 1
                        || (node.size() == 2
                                && node.argument(1).matches("(?i)none|ssl|tls|starttls"));
        if (!mode || !matcher.matches()) {
            return null;
        }
        String attribute = part(matcher, 4).replaceFirst(",.*", "");
        String scope = part(matcher, 5).toLowerCase(Locale.ROOT);
        String filter = part(matcher, 6);
        boolean sound =
                (attribute.isEmpty() || ATTRIBUTE.matcher(attribute).matches())
                        && (scope.isEmpty() || scope.equals("one") || scope.equals("sub"))
                        && filter.indexOf('{') < 0
                        && (filter.isEmpty() || (filter.startsWith("(") && filter.endsWith(")")));
        return sound ? matcher : null;
    }

    private static String part(Matcher matcher, int group) {
        String text = matcher.group(group);
        return text == null ? "" : decoded(text);
    }

    private static String decoded(String text) {
        return text.indexOf('%') < 0 ? text : URI.create("x:/?" + text).getQuery();
    }

    /// The users, where the section names a directory.
    ///
    /// @param provider the node that says so; null = none does
    Login.@Nullable Users users(@Nullable HttpdNode provider) {
        HttpdNode node = said.get("authldapurl");
        boolean asked = provider != null && provider.argument(0).equalsIgnoreCase("ldap");
        boolean first = !built;
        built = true;
        if (node == null) {
            if (provider != null && asked && first) {
                context.wrong(provider, "write AuthLDAPURL into the same section");
            }
            if (first) {
                said.values().forEach(one -> context.wrong(one, "write it where AuthLDAPURL is"));
            }
            return null;
        }
        if (!asked) {
            if (first) {
                context.wrong(node, "write AuthBasicProvider ldap into the same section");
            }
            return null;
        }
        HttpdNode name = said.get("authldapremoteuserattribute");
        if (name != null && first && !isWanted(node, name.argument(0))) {
            context.wrong(name, "write it into AuthLDAPURL, too");
        }
        HttpdNode half = said.get("ldaptrustedclientcert");
        if (half != null && first && shown.size() == 1) {
            context.wrong(half, "write both CERT_BASE64 and KEY_BASE64");
        }
        Matcher url = url(node);
        return url == null ? null : new Login.Users.InDirectory(directory(node, url));
    }

    private static boolean isWanted(HttpdNode node, String attribute) {
        Matcher url = url(node);
        return url != null && List.of(part(url, 4).split(",")).contains(attribute);
    }

    private Directory directory(HttpdNode node, Matcher url) {
        String mode = node.argument(1);
        boolean secure =
                url.group(1).equalsIgnoreCase("ldaps") || context.directories().isSsl(mode);
        String scheme = secure ? "ldaps" : "ldap";
        String attribute = part(url, 4).replaceFirst(",.*", "");
        String name = word("authldapremoteuserattribute");
        String filter = part(url, 6);
        String byEntry = word("authldapgroupattributeisdn");
        Path cert = shown.get("cert_base64");
        Path key = shown.get("key_base64");
        DirectoryAccess.Own own =
                cert == null || key == null ? null : new DirectoryAccess.Own(cert, key);
        return new Directory(
                new DirectoryAccess(
                        Arrays.stream(url.group(2).strip().split("\\s+"))
                                .map(host -> scheme + "://" + host)
                                .toList(),
                        context.directories().of(secure, mode, own),
                        new DirectoryAccess.Bind(
                                word("authldapbinddn"), word("authldapbindpassword"), null),
                        DirectoryAccess.TIMEOUT_DEFAULT,
                        DirectoryAccess.TIMEOUT_DEFAULT),
                new Directory.Search(
                        part(url, 3),
                        attribute.isEmpty() ? "uid" : attribute,
                        filter.isEmpty() ? Directory.Search.ANY : filter,
                        !part(url, 5).equalsIgnoreCase("one")),
                name,
                null,
                new Directory.Members(
                        members.isEmpty() ? Directory.Members.DEFAULT.attributes() : members,
                        byEntry == null || byEntry.equalsIgnoreCase("on"),
                        "cn"),
                nested(),
                List.copyOf(context.questions()));
    }

    private Directory.Nested nested() {
        String depth = word("authldapmaxsubgroupdepth");
        Directory.Nested none = Directory.Nested.NONE;
        return new Directory.Nested(
                depth == null ? SUB_GROUP_DEPTH : Integer.parseInt(depth),
                subgroups.isEmpty() ? none.attributes() : subgroups,
                subgroupClasses.isEmpty() ? none.classes() : subgroupClasses);
    }

    private @Nullable String word(String key) {
        HttpdNode node = said.get(key);
        return node == null ? null : node.argument(0);
    }

    /// What `Require` asks.
    ///
    /// @return empty when it is not understood
    static List<DirectoryQuestion> questions(String what, List<String> values) {
        String text = String.join(" ", values);
        if (values.isEmpty() || text.contains("%{") || text.matches(".*[\\\\\"'].*")) {
            return List.of();
        }
        return switch (what) {
            case "ldap-user" -> {
                List<DirectoryQuestion> names = new ArrayList<>();
                names.add(new DirectoryQuestion.Named(text));
                if (values.size() > 1) {
                    values.forEach(one -> names.add(new DirectoryQuestion.Named(one)));
                }
                yield names;
            }
            case "ldap-group" -> List.of(new DirectoryQuestion.Member(text));
            case "ldap-dn" -> List.of(new DirectoryQuestion.Is(text));
            case "ldap-filter" ->
                    text.startsWith("(") || text.indexOf('{') >= 0
                            ? List.of()
                            : List.of(new DirectoryQuestion.Fits("(" + text + ")"));
            case "ldap-attribute" ->
                    values.stream().allMatch(one -> one.matches("[A-Za-z][A-Za-z0-9;.-]*=[^\"'=]+"))
                            ? values.stream()
                                    .map(one -> DirectoryQuestion.parse("attribute " + one))
                                    .toList()
                            : List.of();
            default -> List.of();
        };
    }
}
