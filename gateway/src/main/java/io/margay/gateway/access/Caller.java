package io.margay.gateway.access;

import io.margay.gateway.login.Login;
import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginCheck;
import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.login.Logins;
import io.margay.gateway.rules.compiled.FolderChanges;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Who sends a request, as far as that was asked while it was decided on, and what the folders on
/// the way to its file change in it. Confined to one decision.
final class Caller {
    private static final ExchangeNotes.Key<Waiting> WAITING =
            new ExchangeNotes.Key<>(Waiting.class);

    private final Logins logins;
    private final @Nullable Exchange exchange;
    private @Nullable Waiting last;
    private @Nullable LoginUser admitted;
    private @Nullable LoginCheck pending;
    private @Nullable LoginAnswer answer;
    private List<FolderChanges> changes = List.of();
    private Map<String, String> described = Map.of();
    private long contentBytesMax = -1;
    private @Nullable RuleRequest walked;
    private SectionRewriting.Notes notes = SectionRewriting.Notes.NOTHING;
    private boolean ended;
    private @Nullable String mapped;
    private @Nullable String answered;
    private @Nullable String usualType;
    private @Nullable String forwarded;
    private List<ExchangeNotes.Answered> before = List.of();

    /// What rules have said of a request that waits for a login, or on which limits come first.
    private record Waiting(RuleSet rules, RuleRequest asked, RuleSet.Outcome outcome) {}

    /// @param exchange null = nobody
    Caller(Logins logins, @Nullable Exchange exchange) {
        this.logins = logins;
        this.exchange = exchange;
    }

    /// The sender of a request that was decided on before.
    static Caller again(Logins logins, Exchange exchange) {
        Caller made = new Caller(logins, exchange);
        String user = exchange.remoteUser();
        String method = exchange.notes().userMethod();
        if (user != null && method != null) {
            made.admitted(new LoginUser(user, exchange.notes().userRoles(), true, method));
        }
        return made;
    }

    /// What rules say of a request: they are asked once, also where it has waited for a login,
    /// unless that has made another request of it.
    RuleSet.Outcome outcome(RuleSet rules, RuleRequest asked) {
        Waiting before = exchange == null ? null : exchange.notes().get(WAITING);
        RuleSet.Outcome outcome =
                before != null && before.rules.equals(rules) && before.asked.equals(asked)
                        ? before.outcome
                        : rules.outcome(asked);
        last = new Waiting(rules, asked, outcome);
        return outcome;
    }

    /// Takes note of a decision: whether the request waits for a login.
    void decided(RuleDecision decision) {
        if (decision instanceof RuleDecision.Verify) {
            keepOutcome();
        }
    }

    /// Notes what rules have said, to be used again.
    void keepOutcome() {
        if (last != null) {
            note(WAITING, last);
        }
    }

    /// What is known of the client where users log in so.
    LoginResult find(Login login) {
        LoginResult result =
                exchange != null
                        ? logins.find(login, exchange)
                        : login.canAsk() ? new LoginResult.Wrong() : new LoginResult.Failed();
        return noted(result);
    }

    /// What is known of the client by its certificate.
    ///
    /// @param name that the certificate has; empty where none was shown
    LoginResult shown(Login login, String name) {
        return noted(
                exchange != null && !name.isEmpty()
                        ? logins.shown(login, name, exchange)
                        : new LoginResult.Wrong());
    }

    private LoginResult noted(LoginResult result) {
        if (result instanceof LoginResult.Unknown(LoginCheck check)) {
            pending = check;
        }
        return result;
    }

    /// Takes note that a user was let in.
    void admitted(LoginUser user) {
        admitted = user;
    }

    /// The user who was let in, or null.
    @Nullable LoginUser admitted() {
        return admitted;
    }

    /// With what a client is asked who it is, or null.
    @Nullable String challenge(Login login) {
        return logins.challenge(login, exchange);
    }

    /// Takes note of what a service has said for the client.
    void answered(LoginAnswer said) {
        answer = said;
    }

    /// What a service has said for the client, or null.
    @Nullable LoginAnswer answer() {
        return answer;
    }

    /// Takes note that content whose length is not told may not be larger.
    ///
    /// @return false where nobody can count it
    boolean bounds(long bytes) {
        contentBytesMax = contentBytesMax < 0 ? bytes : Math.min(bytes, contentBytesMax);
        return exchange != null;
    }

    /// How large it may be; -1 = as it wants.
    long contentBytesMax() {
        return contentBytesMax;
    }

    /// Takes note of what folders change, from the root down; those of the last file count.
    void found(List<FolderChanges> ofFolders) {
        changes = List.copyOf(ofFolders);
    }

    /// What folders change.
    List<FolderChanges> changes() {
        return changes;
    }

    /// Takes note of what is said of a file that is sent, in fields of the response.
    void described(Map<String, String> said) {
        described = said;
    }

    /// Says it, where a file is sent or a client takes none.
    void describe(Exchange decided, RuleDecision decision) {
        if (decision instanceof RuleDecision.Routes
                || decision instanceof RuleDecision.Other
                || decision.equals(RuleDecision.NOT_ACCEPTABLE)) {
            described.forEach(decided.fields()::add);
        }
    }

    /// Takes note of what the request is for.
    ///
    /// @param file null = no file
    /// @param path the path of the request to httpd
    void mapped(ServedFolders.@Nullable Found file, String path) {
        mapped = file == null ? null : file.whole();
        answered = path;
    }

    /// Rules of a folder lead the request elsewhere.
    void beginsAnew() {
        List<ExchangeNotes.Answered> all = new ArrayList<>(before);
        all.add(now());
        before = all;
    }

    private ExchangeNotes.Answered now() {
        RuleRequest made = last == null ? null : last.outcome.request();
        String asked = forwarded != null ? forwarded : made == null ? null : query(made);
        return new ExchangeNotes.Answered(mapped, answered, asked);
    }

    /// Notes in the exchange what it is for, and what it was for before.
    void tell(Exchange decided) {
        decided.notes().answered(now(), before);
        decided.notes().usualType(usualType);
    }

    /// Takes note of the query of a target that a rule has made; null = it has made none.
    void forwarded(@Nullable String query) {
        forwarded = query;
    }

    /// Takes note of the type of an answer that does not say one.
    void usual(@Nullable String type) {
        usualType = type;
    }

    /// The same where this takes the place of an error.
    void tellOfPage(Exchange decided) {
        ExchangeNotes notes = decided.notes();
        List<ExchangeNotes.Answered> all = new ArrayList<>(notes.before());
        ExchangeNotes.Answered known = notes.now();
        all.add(known == null ? new ExchangeNotes.Answered(null, null, null) : known);
        all.addAll(before);
        notes.answered(now(), all);
        notes.usualType(usualType);
    }

    /// Notes what was found of the request, to be asked for again.
    <T> void note(ExchangeNotes.Key<T> key, T what) {
        if (exchange != null) {
            exchange.notes().put(key, what);
        }
    }

    /// Takes note of a request that sections were asked of.
    ///
    /// @param asked with the variables of the host
    /// @param byRules what rules of folders say of it, later on, too
    void walked(RuleRequest asked, SectionRewriting.Notes byRules) {
        walked = asked;
        notes = byRules;
    }

    /// The query of a request after rules of folders.
    @Nullable String query(RuleRequest asked) {
        return notes.hasQuery ? notes.query : asked.query();
    }

    /// The variables of the request that sections were asked of last: of the host, of rules in
    /// folders, and of folders.
    Map<String, String> environment(RuleSet rules) {
        RuleRequest request = walked;
        if (request == null) {
            return Map.of();
        }
        Map<String, String> all = new LinkedHashMap<>(request.variables());
        all.putAll(notes.variables);
        return rules.environment(request.with(all), changes);
    }

    /// Rules of folders are not asked any more.
    void endRewriting() {
        ended = true;
    }

    /// Whether rules of folders are asked.
    boolean rewrites() {
        return !ended;
    }

    /// What has to be found out first, or null.
    @Nullable LoginCheck pending() {
        return pending;
    }
}
