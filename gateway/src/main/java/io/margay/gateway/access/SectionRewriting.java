package io.margay.gateway.access;

import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.protocol.http.PercentEncoding;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a section makes of requests by the whole path of a file, as mod_rewrite does in folders: of
/// the sections about a request the last that says something counts alone. Immutable.
///
/// @param engine whether rules are asked; null = the section says nothing
/// @param below what is taken away from the paths that begin with it, with a slash at the end; null
///   where the section has nothing of the kind, so that those before count
/// @param base the path by which clients know the folder, with a slash at the end; null = the one
///   by which it is served
/// @param rules refusals, redirections, other paths, and what leads past them, with regular
///   expressions
public record SectionRewriting(
        @Nullable Boolean engine,
        @Nullable String below,
        @Nullable String base,
        SectionRedirects rules) {
    /// Of a section that says nothing.
    public static final SectionRewriting NONE =
            new SectionRewriting(null, null, null, SectionRedirects.NONE);

    /// What holds where a later section is about the same request.
    SectionRewriting then(SectionRewriting later) {
        return new SectionRewriting(
                later.engine != null ? later.engine : engine,
                later.below != null ? later.below : below,
                later.below != null ? later.base : base,
                later.below != null ? later.rules : rules);
    }

    /// What rules say besides, when a request is asked of. Confined to one decision.
    static final class Notes {
        /// Where nothing is asked.
        static final Notes NOTHING = new Notes(Map.of());

        /// Those that they set.
        final Map<String, String> variables;

        /// The query that they have made where the path stays; null = none.
        @Nullable String query;

        /// Whether they have made one.
        boolean hasQuery;

        private Notes(Map<String, String> variables) {
            this.variables = variables;
        }

        /// What rules will say.
        static Notes of(SectionRewriting rules) {
            return rules.isAsked() ? new Notes(new LinkedHashMap<>()) : NOTHING;
        }
    }

    private boolean isAsked() {
        return below != null && Boolean.TRUE.equals(engine);
    }

    /// What may be the file of a request.
    ///
    /// @param text its path with what stands behind it in the request's
    /// @param file its path alone
    /// @param exact whether it is what httpd takes for the file, by which requests are passed on
    record Target(String text, String file, boolean exact) {
        private static Target of(String text, boolean exact) {
            return new Target(text, text, exact);
        }

        /// What may be the file to httpd of a request that is for none.
        ///
        /// @param url what is asked for at a peer, or null
        static List<Target> unmapped(String path, @Nullable String url, @Nullable String query) {
            if (url == null) {
                String name = path.substring(path.lastIndexOf('/') + 1);
                return List.of(of(path, true), of(name, false));
            }
            boolean whole = query == null;
            return List.of(
                    of("proxy:" + url, whole),
                    of("proxy:" + url + "?" + query, !whole),
                    of(path, false));
        }
    }

    /// What becomes of a request; null where nothing is said of it.
    ///
    /// @param targets what may be its file to httpd; what refuses one of them refuses
    /// @param linked whether links are followed, without which httpd refuses all
    /// @param folders by which a file's path becomes that of a request
    /// @param notes takes what rules say besides
    @Nullable RuleDecision decide(
            RuleRequest request,
            List<Target> targets,
            boolean linked,
            ServedFolders folders,
            Notes notes) {
        String start = below;
        if (start == null || !Boolean.TRUE.equals(engine)) {
            return null;
        }
        RuleDecision found = null;
        for (Target target : targets) {
            String text = target.text();
            if (start.equals(text + "/")) {
                continue;
            }
            if (!linked) {
                return new RuleDecision.Refuse(403);
            }
            String rest = text.startsWith(start) ? text.substring(start.length()) : text;
            RuleRequest asked = request.ofFile(target.file());
            RuleDecision decision = rules.decide(asked, rest, start, notes.variables);
            if (decision instanceof RuleDecision.Refuse) {
                return decision;
            }
            boolean same =
                    decision instanceof RuleDecision.Again(String to, boolean _)
                            && (start + to.replaceFirst("\\?.*", ""))
                                    .equals(PercentEncoding.path(target.file()));
            if (same && decision instanceof RuleDecision.Again(String to, boolean _)) {
                int mark = to.indexOf('?');
                notes.query = mark < 0 ? null : to.substring(mark + 1);
                notes.hasQuery = true;
            }
            boolean guessed = decision instanceof RuleDecision.Forward && !target.exact();
            if (found == null && !same && !guessed && !decision.equals(RuleDecision.ROUTES)) {
                found = decision;
            }
        }
        return found == null ? null : resolved(found, request, folders);
    }

    /// The same with paths of requests for those of files.
    private RuleDecision resolved(
            RuleDecision decision, RuleRequest request, ServedFolders folders) {
        String to =
                switch (decision) {
                    case RuleDecision.Again(String target, boolean _) -> target;
                    case RuleDecision.Redirect(int _, String location) -> location;
                    case RuleDecision.Forward _,
                            RuleDecision.Refuse _,
                            RuleDecision.NotAllowed _,
                            RuleDecision.Challenge _,
                            RuleDecision.Answer _,
                            RuleDecision.Verify _,
                            RuleDecision.Page _,
                            RuleDecision.Routes _,
                            RuleDecision.Other _ ->
                            null;
                };
        if (to == null || to.startsWith("/") || to.contains("://")) {
            return decision;
        }
        String folder = base != null ? base : folders.prefix(String.valueOf(below));
        if (folder == null) {
            return new RuleDecision.Refuse(404);
        }
        String whole = PercentEncoding.path(folder) + to;
        return decision instanceof RuleDecision.Redirect(int status, String _)
                ? new RuleDecision.Redirect(status, request.absolute(whole))
                : new RuleDecision.Again(
                        whole, decision instanceof RuleDecision.Again(_, boolean end) && end);
    }
}
