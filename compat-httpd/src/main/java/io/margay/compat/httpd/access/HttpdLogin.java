package io.margay.compat.httpd.access;

import io.margay.compat.httpd.context.ReadingContext;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.gateway.login.Login;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads how users log in: `AuthType` and its kin. Confined to one reading.
final class HttpdLogin {
    private final ReadingContext context;
    private Login login = Login.NONE;

    HttpdLogin(ReadingContext context) {
        this.context = context;
    }

    Login build() {
        return login;
    }

    /// Whether a directive is about logging in.
    static boolean knows(String key) {
        return key.startsWith("auth") && !key.equals("authmerging");
    }

    void read(HttpdNode node) {
        String word = node.argument(0);
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
                        yield file == null ? null : users(new Login.Users.InFile(file));
                    }
                    case "authgroupfile" -> {
                        Path file = file(word);
                        yield file == null ? null : new Login(null, null, null, file, null);
                    }
                    case "authbasicprovider" -> word.equalsIgnoreCase("file") ? Login.NONE : null;
                    case "authbasicauthoritative" ->
                            word.equalsIgnoreCase("on") ? Login.NONE : null;
                    case "authzsendforbiddenonfailure" ->
                            word.matches("(?i)on|off")
                                    ? new Login(null, null, null, null, node.isOn())
                                    : null;
                    default -> null;
                };
        if (said == null) {
            context.wrong(node, "\"" + node.text() + "\" is not supported" + remedy(node.key()));
        } else {
            login = login.then(said);
            context.honoured(node);
        }
    }

    private static @Nullable Login type(String word) {
        return switch (word) {
            case "basic" -> new Login(Login.Method.BASIC, null, null, null, null);
            case "none" -> new Login(Login.Method.NONE, null, null, null, null);
            default -> null;
        };
    }

    /// To httpd a name is an expression, in which these characters mean something.
    private static @Nullable Login name(String word) {
        boolean plain = word.indexOf('\\') < 0 && !word.contains("%{") && !word.isEmpty();
        return plain ? new Login(null, word, null, null, null) : null;
    }

    private static Login users(Login.Users users) {
        return new Login(null, null, users, null, null);
    }

    /// A file in a folder does not know what relative paths are relative to.
    private @Nullable Path file(String word) {
        boolean known = !context.isOfFolder() || word.startsWith("/");
        Path path = known && !word.isEmpty() && !word.startsWith("|") ? context.path(word) : null;
        return path == null ? null : path.toAbsolutePath().normalize();
    }

    private static String remedy(String key) {
        return switch (key) {
            case "authtype" -> ": Basic and None are; leave others to the application";
            case "authname" -> ": write a text without \\ and %{";
            case "authuserfile", "authgroupfile" -> ": write the whole path of a file";
            case "authbasicprovider" -> ": file is; margay.yaml knows databases and directories";
            case "authbasicauthoritative" -> ": write On, its default";
            default -> "";
        };
    }
}
