package io.margay.gateway.access;

import io.margay.gateway.access.SectionRewriting.Target;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.SectionMatch;
import io.margay.gateway.access.match.SectionMatch.Kind;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.rules.compiled.FolderChanges;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.gateway.rules.compiled.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What the sections so far say of a request. Confined to one call.
///
/// As in httpd, sections of one kind are merged with one another first, and the outcome with what
/// those of the kinds before say.
final class SectionWalk {
    private final AccessRequest request;
    private AccessRules before = AccessRules.NONE;
    private AccessRules kind = AccessRules.NONE;
    private final List<Target> targets;
    private final ServedFolders served;
    private final RuleSet ofHost;
    private AccessRules rules = AccessRules.NONE;
    private final List<AccessSection> files = new ArrayList<>();
    private final List<AccessSection> conditional = new ArrayList<>();
    private final List<FolderChanges> changes = new ArrayList<>();
    private boolean isPastFolders;

    /// Of the first folder whose file cannot be followed; 0 = of none.
    private int refusal;

    /// Whether a section was merged that is not about folders.
    private boolean others;

    /// @param targets what may be the file
    /// @param ofHost the rules of the host
    SectionWalk(AccessRequest request, List<Target> targets, ServedFolders served, RuleSet ofHost) {
        this.ofHost = ofHost;
        this.request = request;
        this.served = served;
        this.targets = targets;
    }

    void add(AccessSection section, String text, Kind kind) {
        if (section.match().takes(text, kind)) {
            add(section);
        }
    }

    /// Goes on to sections of another kind.
    void next() {
        before = rules;
        kind = AccessRules.NONE;
    }

    private void merge(AccessRules section) {
        kind = kind.then(section);
        rules = before.then(kind);
    }

    void add(AccessSection section) {
        others |= isPastFolders;
        merge(section.rules());
        files.addAll(section.files());
        conditional.addAll(section.conditional());
    }

    void add(FolderFile file) {
        if (refusal == 0) {
            refusal = file.refusal();
        }
        add(file.section());
        if (file.changes() != null) {
            changes.add(file.changes());
        }
    }

    void conditional() {
        conditional(List.copyOf(conditional));
    }

    /// Sections in a section come right after it.
    private void conditional(List<AccessSection> sections) {
        for (AccessSection section : sections) {
            if (section.match() instanceof SectionMatch.When(var conditions)
                    && conditions.hold(request.request())) {
                others = true;
                merge(section.rules());
                conditional(section.conditional());
            }
        }
    }

    /// Goes on to sections that are not about folders.
    void pastFolders() {
        isPastFolders = true;
        next();
    }

    AccessRules rules() {
        return rules;
    }

    List<AccessSection> files() {
        return files;
    }

    List<FolderChanges> changes() {
        return changes;
    }

    /// Whether nothing was merged but what sections about folders say.
    boolean isOfFolders() {
        return !others;
    }

    /// @param admitted whether it is known that the client is let in
    @Nullable RuleDecision decide(boolean admitted) {
        RuleDecision refused = refused(admitted);
        if (refused != null) {
            return refused;
        }
        boolean linked = !Boolean.FALSE.equals(rules.links());
        LoginUser user = request.caller().admitted();
        RuleRequest seen =
                user == null
                        ? request.request().by(null)
                        : ofHost.ofUser(request.request().by(user.name()));
        SectionRewriting.Notes notes = SectionRewriting.Notes.of(rules.rewriting());
        request.caller().walked(seen, notes);
        RuleDecision rewritten =
                request.caller().rewrites()
                        ? rules.rewriting().decide(seen, targets, linked, served, notes)
                        : null;
        if (rewritten != null) {
            return rewritten;
        }
        RuleDecision decision = rules.redirects().decide(seen);
        return decision.equals(RuleDecision.ROUTES) ? null : decision;
    }

    /// What is answered in place of a request that is not let in; null where it is.
    ///
    /// @param admitted whether it is known that the client is let in
    @Nullable RuleDecision refused(boolean admitted) {
        if (refusal != 0) {
            return new RuleDecision.Refuse(refusal);
        }
        return admitted ? null : refused(rules, request);
    }

    /// What is answered in place of a request that rules do not let in; null where they do.
    static @Nullable RuleDecision refused(AccessRules rules, AccessRequest request) {
        int status = rules.refusal(request);
        if (status == 405) {
            return new RuleDecision.NotAllowed(Methods.allow(rules.methods()));
        }
        if (status == AccessRules.UNKNOWN) {
            return new RuleDecision.Verify(Objects.requireNonNull(request.caller().pending()));
        }
        if (status == AccessRules.ANSWERED) {
            return new RuleDecision.Answer(Objects.requireNonNull(request.caller().answer()));
        }
        if (status != 0) {
            String challenge = status == 401 ? request.caller().challenge(rules.login()) : null;
            return challenge == null
                    ? new RuleDecision.Refuse(status)
                    : new RuleDecision.Challenge(challenge);
        }
        return null;
    }
}
