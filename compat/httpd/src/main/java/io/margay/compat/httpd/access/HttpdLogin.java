package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.LoginLimits;
import io.margay.gateway.login.UserFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads how users log in: `AuthType` and its kin. Confined to one reading.
final class HttpdLogin {
    private final ReadingContext context;
    private final HttpdDirectory directory;
    private Login login = Login.NONE;

    /// Who says of what kind users are; null where nobody does.
    private @Nullable HttpdNode provider;

    HttpdLogin(ReadingContext context) {
        this.context = context;
        directory = new HttpdDirectory(context);
    }

    Login build() {
        Login.Users users = directory.users(provider);
        return users == null ? login : login.with(users);
    }

    /// Whether a directive is about logging in.
    static boolean knows(String key) {
        return (key.startsWith("auth") && !key.equals("authmerging"))
                || key.equals("sslusername")
                || HttpdDirectory.knows(key);
    }

    void read(HttpdNode node) {
        String word = node.argument(0);
        if (HttpdDirectory.knows(node.key())) {
            directory.read(node);
            return;
        }
        if (node.size() != 1) {
            context.wrong(node, "takes one argument here");
            return;
        }
        Login said =
                switch (node.key()) {
                    case "authtype" -> type(word.toLowerCase(Locale.ROOT));
                    case "authname" -> name(word);
                    case "authuserfile" -> {
                        Path file = file(word);
                        yield file == null ? null : Login.NONE.with(new Login.Users.InFile(file));
                    }
                    case "authgroupfile" -> {
                        Path file = file(word);
                        yield file == null ? null : Login.NONE.withGroups(file);
                    }
                    case "authdigestprovider" -> word.equalsIgnoreCase("file") ? Login.NONE : null;
                    case "authbasicprovider" -> {
                        provider = node;
                        yield word.matches("(?i)file|ldap") ? Login.NONE : null;
                    }
                    case "authbasicauthoritative" ->
                            word.equalsIgnoreCase("on") ? Login.NONE : null;
                    case "authdigestqop" -> word.equalsIgnoreCase("auth") ? Login.NONE : null;
                    case "authdigestalgorithm" -> word.equalsIgnoreCase("md5") ? Login.NONE : null;
                    case "authdigestnccheck" -> word.equalsIgnoreCase("off") ? Login.NONE : null;
                    case "authdigestnoncelifetime" ->
                            word.matches("[1-9][0-9]{0,8}")
                                    ? Login.NONE.withNonceLife(
                                            Duration.ofSeconds(Long.parseLong(word)))
                                    : null;
                    case "authzsendforbiddenonfailure" ->
                            word.matches("(?i)on|off") ? Login.NONE.withForbids(node.isOn()) : null;
                    case "sslusername" ->
                            word.matches("SSL_CLIENT_[A-Za-z0-9_]+")
                                    ? Login.NONE.withCertificateUser(word)
                                    : null;
                    default -> null;
                };
        if (said == null) {
            context.wrong(node, "\"" + node.text() + "\" is not supported" + remedy(node.key()));
        } else {
            login = login.then(said);
            List<String> unusable =
                    said.users() instanceof Login.Users.InFile(Path file)
                            ? UserFile.unusable(file, LoginLimits.defaults())
                            : List.of();
            if (unusable.isEmpty()) {
                context.honoured(node);
            } else {
                context.honoured(node, "has users " + UserFile.text(unusable));
            }
        }
    }

    private static @Nullable Login type(String word) {
        return switch (word) {
            case "digest" -> Login.NONE.with(Login.Method.DIGEST);
            case "basic" -> Login.NONE.with(Login.Method.BASIC);
            case "openid-connect" -> Login.NONE.with(Login.Method.OPENID);
            case "none" -> Login.NONE.with(Login.Method.NONE);
            default -> null;
        };
    }

    /// To httpd a name is an expression, in which these characters mean something.
    private static @Nullable Login name(String word) {
        boolean plain = word.indexOf('\\') < 0 && !word.contains("%{") && !word.isEmpty();
        return plain ? Login.NONE.withRealm(word) : null;
    }

    /// A file in a folder does not know what relative paths are relative to.
    private @Nullable Path file(String word) {
        boolean known = !context.isOfFolder() || word.startsWith("/");
        Path path = known && !word.isEmpty() && !word.startsWith("|") ? context.path(word) : null;
        return path == null ? null : path.toAbsolutePath().normalize();
    }

    private static String remedy(String key) {
        return switch (key) {
            case "authtype" ->
                    ": Basic, Digest, openid-connect and None are; leave others to the application";
            case "authname" -> ": write a text without \\ and %{";
            case "authuserfile", "authgroupfile" -> ": write the whole path of a file";
            case "authdigestqop", "authdigestalgorithm" -> ": auth and MD5 are, its defaults";
            case "authdigestnccheck" -> ": nor is it in httpd";
            case "authdigestnoncelifetime" -> ": a number of seconds from 1 on is";
            case "authdigestprovider", "authbasicprovider" ->
                    ": file and ldap are; margay.yaml knows databases";
            case "authbasicauthoritative" -> ": write On, its default";
            case "sslusername" ->
                    ": write a variable of the client's certificate, as SSL_CLIENT_S_DN_CN";
            default -> "";
        };
    }
}
