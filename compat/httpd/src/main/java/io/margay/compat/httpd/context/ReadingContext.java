package io.margay.compat.httpd.context;

import io.margay.compat.account.Account;
import io.margay.compat.httpd.expression.RequestVariables;
import io.margay.compat.httpd.syntax.HttpdNode;
import io.margay.compat.httpd.syntax.RestrictingDirectives;
import io.margay.compat.httpd.syntax.SetVariables;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.rules.ExpressionPlaces;
import java.io.File;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the readers of all directives share: the account, the variables of requests, and where
/// paths lead. Confined to one reading.
public final class ReadingContext {
    private final Account account;
    private final RequestVariables variables = new RequestVariables();
    private final RestrictingDirectives restricting = RestrictingDirectives.load();
    private final FilePaths paths;
    private final boolean ofFolder;

    private final Set<String> claims = new LinkedHashSet<>();
    private final ExpressionPlaces expressions = new ExpressionPlaces();
    private final Set<DirectoryQuestion> questions = new LinkedHashSet<>();
    private final LdapDirectives directories = new LdapDirectives(this);

    /// @param folder what relative paths are relative to, where no `ServerRoot` is there
    public ReadingContext(Account account, Path folder) {
        this(account, folder, false);
    }

    private ReadingContext(Account account, Path folder, boolean ofFolder) {
        this.account = account;
        this.ofFolder = ofFolder;
        paths = new FilePaths(folder);
    }

    /// For a file such as `.htaccess`, which knows nothing of `ServerRoot`.
    public static ReadingContext ofFolder(Account account, Path folder) {
        return new ReadingContext(account, folder, true);
    }

    /// Whether it is for a file such as `.htaccess`.
    public boolean isOfFolder() {
        return ofFolder;
    }

    /// Where expressions are written.
    public ExpressionPlaces expressions() {
        return expressions;
    }

    public Account account() {
        return account;
    }

    public RequestVariables variables() {
        return variables;
    }

    /// Claims of users that `Require` asks for, wherever it does.
    public Set<String> claims() {
        return claims;
    }

    /// What `Require` asks of users in directories, wherever it does.
    public Set<DirectoryQuestion> questions() {
        return questions;
    }

    /// What holds for all directories.
    public LdapDirectives directories() {
        return directories;
    }

    public RestrictingDirectives restricting() {
        return restricting;
    }

    // Paths

    /// Takes the folder that `ServerRoot` names.
    public void serverRoot(@Nullable Path root) {
        paths.serverRoot(root);
    }

    /// A path of a file, relative to `ServerRoot` where that is there, or null when it is none.
    public @Nullable Path path(String text) {
        return paths.of(text);
    }

    /// A place for a log. A drive of another system is none here: then it is `logs/NAME`.
    public @Nullable Path log(HttpdNode node, String text) {
        String local = text;
        if (text.startsWith("|") || text.startsWith("syslog")) {
            PipedLog piped = PipedLog.of(text).orElse(null);
            if (piped == null) {
                account.changed(
                        node.place(),
                        node.name(),
                        "no program is run for a log: nothing is logged; name a file, or write it"
                                + " to rotatelogs or cronolog");
                return null;
            }
            local = piped.file();
            if (!piped.text().isEmpty()) {
                account.noted(node.place(), node.name(), piped.text());
            }
        }
        if (local.matches("[A-Za-z]:[/\\\\].*") && File.separatorChar == '/') {
            local = "logs/" + local.replaceFirst(".*[/\\\\]", "");
            account.noted(node.place(), node.name(), "written to " + local);
        }
        Path path = path(local);
        if (path == null) {
            account.wrong(node.place(), node.name(), "\"" + text + "\" is not a path");
        }
        return path;
    }

    /// At which size the file of a log that is piped to a program is rotated; 0 = at none.
    public static long rotateBytes(String text) {
        return text.startsWith("|") ? PipedLog.of(text).map(PipedLog::rotateBytes).orElse(0L) : 0;
    }

    // What becomes of a directive

    public void honoured(HttpdNode node) {
        account.honoured(node.place(), node.name());
    }

    public void honoured(HttpdNode node, String text) {
        account.honoured(node.place(), node.name(), text);
    }

    /// It is not honoured exactly: nothing is served if something would be open that was closed.
    public void changed(HttpdNode node, String text) {
        variables.unfollowed(SetVariables.of(node));
        if (restricting.restricts(node)) {
            account.wrong(node.place(), node.name(), text);
        } else {
            account.changed(node.place(), node.name(), text);
        }
    }

    public void noted(HttpdNode node, String text) {
        variables.unfollowed(SetVariables.of(node));
        account.noted(node.place(), node.name(), text);
    }

    public void wrong(HttpdNode node, String text) {
        account.wrong(node.place(), node.name(), text);
    }
}
