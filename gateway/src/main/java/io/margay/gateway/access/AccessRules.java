package io.margay.gateway.access;

import io.margay.gateway.access.handler.FileHandlers;
import io.margay.gateway.listing.FolderListing;
import io.margay.gateway.listing.FolderVariants;
import io.margay.gateway.login.Login;
import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.rules.FileTypes;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What one section says of who may ask, or several that were merged. Immutable.
///
/// @param required null where the section has no `Require`
/// @param always what must hold, too, whatever else lets a client in; of all sections
/// @param merging what becomes of the requirement of the sections before
/// @param ordered null where the section has nothing of httpd 2.2
/// @param methods the only ones that are served; empty = all, null where the section says nothing
/// @param tls what must hold of the connection
/// @param redirects of the section, asked once the client is let in
/// @param rewriting refusals by the whole path of a file, asked before those
/// @param contentBytesMax of requests; 0 = any, -1 = the section says nothing
/// @param handlers which files are programs, whose source is not sent
/// @param types which media types files have
/// @param overrides what files such as `.htaccess` may say from here on
/// @param links whether links on the way to a file are followed; null = the section says nothing
/// @param pages what is sent where a path stands for no file
/// @param listing how folders without a page are listed
/// @param variants which files stand for names without their endings, and their languages
/// @param login how clients log in
@RecordBuilder
public record AccessRules(
        @Nullable Requirement required,
        List<Requirement> always,
        Merging merging,
        @Nullable OrderedAccess ordered,
        @Nullable Set<String> methods,
        TlsAccess tls,
        SectionRedirects redirects,
        SectionRewriting rewriting,
        long contentBytesMax,
        FileHandlers handlers,
        FileTypes types,
        FolderOverrides overrides,
        @Nullable Boolean links,
        SectionPages pages,
        FolderListing listing,
        FolderVariants variants,
        Login login) {
    /// Of a section that says nothing.
    public static final AccessRules NONE =
            new AccessRules(
                    null,
                    List.of(),
                    Merging.UNSET,
                    null,
                    null,
                    TlsAccess.ANY,
                    SectionRedirects.NONE,
                    SectionRewriting.NONE,
                    -1,
                    FileHandlers.NONE,
                    FileTypes.NONE,
                    FolderOverrides.UNSAID,
                    null,
                    SectionPages.NONE,
                    FolderListing.NONE,
                    FolderVariants.NONE,
                    Login.NONE);

    /// What [#refusal] says of requests of which it is not known who sends them.
    static final int UNKNOWN = -1;

    /// What [#refusal] says of requests that a service has answered.
    static final int ANSWERED = -2;

    /// What becomes of the requirement of the sections before.
    public enum Merging {
        /// It goes when this section has one.
        UNSET,

        /// It goes.
        OFF,

        /// It must be met, too.
        AND,

        /// It is enough to meet one.
        OR
    }

    public AccessRules {
        always = List.copyOf(always);
        methods = methods == null ? null : Collections.unmodifiableSet(new TreeSet<>(methods));
    }

    /// The same with another login.
    public AccessRules withLogin(Login other) {
        return AccessRulesBuilder.builder(this).login(other).build();
    }

    /// The same that says nothing of pages.
    AccessRules withoutPages() {
        return AccessRulesBuilder.builder(this).pages(SectionPages.NONE).build();
    }

    /// Whether they say the same of every path, and nothing but who is let in. Spelt out, so that
    /// what is added to them is thought of here.
    boolean isUniform() {
        return isNone() || sayWhoIsLetIn();
    }

    /// Whether nothing is said at all, as of most of thousands of hosts.
    @SuppressWarnings("ReferenceEquality") // others that say nothing are compared below
    boolean isNone() {
        return this == NONE;
    }

    private boolean sayWhoIsLetIn() {
        AccessRules letIn =
                AccessRulesBuilder.builder(NONE)
                        .required(required)
                        .always(always)
                        .merging(merging)
                        .methods(methods)
                        .tls(tls)
                        .contentBytesMax(contentBytesMax)
                        .types(types.isPlain() ? types : FileTypes.NONE)
                        .overrides(overrides)
                        .login(login)
                        .build();
        return equals(letIn)
                && !overrides.areRead()
                && (required == null || required.isUniform())
                && always.stream().allMatch(Requirement::isUniform);
    }

    /// What holds where a later section is about the same request.
    AccessRules then(AccessRules later) {
        if (isNone()) {
            return later;
        }
        boolean keeps = later.merging == Merging.UNSET && later.required == null;
        return AccessRulesBuilder.builder()
                .required(merged(later))
                .always(AccessSection.joined(always, later.always))
                .merging(keeps && required != null ? merging : later.merging)
                .ordered(later.ordered != null ? later.ordered : ordered)
                .methods(later.methods != null ? later.methods : methods)
                .tls(tls.then(later.tls))
                .redirects(redirects.then(later.redirects))
                .rewriting(rewriting.then(later.rewriting))
                .contentBytesMax(
                        later.contentBytesMax >= 0 ? later.contentBytesMax : contentBytesMax)
                .handlers(handlers.then(later.handlers))
                .types(types.then(later.types))
                .overrides(overrides.then(later.overrides))
                .links(later.links != null ? later.links : links)
                .pages(pages.then(later.pages))
                .listing(listing.then(later.listing))
                .variants(variants.then(later.variants))
                .login(login.then(later.login))
                .build();
    }

    private @Nullable Requirement merged(AccessRules later) {
        Requirement other = later.required;
        return switch (later.merging) {
            case UNSET -> other != null ? other : required;
            case OFF -> other;
            case AND, OR -> {
                if (required == null || other == null) {
                    yield other != null ? other : required;
                }
                yield Requirement.both(later.merging == Merging.AND, required, other);
            }
        };
    }

    /// The status with which a request is refused, or 0; [#UNKNOWN] where it has to be found out
    /// first who the client is.
    int refusal(AccessRequest request) {
        Set<String> served = methods;
        boolean isServed = served == null || served.isEmpty() || served.contains(request.method());
        OrderedAccess by22 = ordered;
        boolean admitted = isServed && (by22 == null || by22.admits(request));
        boolean enough = by22 != null && by22.isEnough(request.method());
        if (tls.refuses(request) || !alwaysHolds(request)) {
            return isServed || enough ? 403 : 405;
        }
        if (admitted && enough) {
            return content(request);
        }
        if (!admitted && !enough) {
            return isServed ? 403 : 405;
        }
        int status = unauthorized(request);
        return status == 0 ? content(request) : status;
    }

    private boolean alwaysHolds(AccessRequest request) {
        for (Requirement each : always) {
            Requirement.Verdict verdict = each.of(request);
            if (verdict == Requirement.Verdict.DENIED || verdict == Requirement.Verdict.NO_USER) {
                return false;
            }
        }
        return true;
    }

    /// Whom a certificate names is known before anything is asked, as with SSLUserName.
    private int unauthorized(AccessRequest request) {
        String variable = login.certificateUser();
        if (variable == null) {
            return unauthorizedUnlessAsked(request);
        }
        String name = request.request().tlsVariable(variable);
        return switch (request.caller().shown(login, name)) {
            case LoginResult.Right(LoginUser user) -> {
                int status = unauthorizedUnlessAsked(request.by(user));
                if (status == 0) {
                    request.caller().admitted(user);
                }
                yield status;
            }
            case LoginResult.Wrong _ -> unauthorizedUnlessAsked(request);
            case LoginResult.Failed _, LoginResult.Answered _ -> 500;
            case LoginResult.Refused(int status) -> status;
            case LoginResult.Busy _ -> 503;
            case LoginResult.Unknown _ -> UNKNOWN;
        };
    }

    /// As mod_authz_core: users are asked who they are only where that can change something.
    private int unauthorizedUnlessAsked(AccessRequest request) {
        Requirement requirement = required;
        if (requirement == null) {
            return login.asks() ? 500 : 0; // as httpd: who asks must say what for
        }
        return switch (requirement.of(request)) {
            case GRANTED -> 0;
            case DENIED, NEUTRAL -> 403;
            case NO_USER ->
                    switch (request.caller().find(login)) {
                        case LoginResult.Right(LoginUser user) -> {
                            boolean granted =
                                    requirement.of(request.by(user)) == Requirement.Verdict.GRANTED;
                            if (granted) {
                                request.caller().admitted(user);
                            }
                            yield granted ? 0 : login.isAskedAgain() ? 401 : 403;
                        }
                        case LoginResult.Wrong _ -> login.refusesAtOnce() ? 403 : 401;
                        case LoginResult.Failed _ -> 500;
                        case LoginResult.Refused(int status) -> status;
                        case LoginResult.Answered(LoginAnswer answer) -> {
                            request.caller().answered(answer);
                            yield ANSWERED;
                        }
                        case LoginResult.Busy _ -> 503;
                        case LoginResult.Unknown _ -> UNKNOWN;
                    };
        };
    }

    /// Content whose length is not told is counted by whoever takes it.
    private int content(AccessRequest request) {
        if (contentBytesMax <= 0) {
            return 0;
        }
        String length = request.fields().get("Content-Length");
        if (length == null) {
            boolean bounded = !request.hasContent() || request.caller().bounds(contentBytesMax);
            return bounded ? 0 : 411;
        }
        return length.matches("[0-9]{1,18}") && Long.parseLong(length) <= contentBytesMax ? 0 : 413;
    }
}
