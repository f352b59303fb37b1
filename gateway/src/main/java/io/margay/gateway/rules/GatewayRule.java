package io.margay.gateway.rules;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One rule of a host: the first that takes a request decides. Immutable.
///
/// @param match which canonical paths it takes
/// @param except globs of paths that it leaves to the host's routes, and no later rule is asked
/// @param when what must also hold; each condition is joined to the next by "and", or by "or" where
///   it says so
/// @param sets variables that it sets of requests that it takes: later rules, sections and changes
///   of the host know them
/// @param plain whether a path that it makes of the request's may have no `?`: one that was sent
///   encoded gets 403, as from mod_rewrite
/// @param guarded whether sections are asked first who may see what it answers itself: a
///   redirection, a text or an error
@RecordBuilder
public record GatewayRule(
        PathMatch match,
        List<String> except,
        List<Condition> when,
        RuleAction action,
        List<Assignment> sets,
        boolean plain,
        boolean guarded)
        implements GatewayRuleBuilder.With {
    public GatewayRule {
        except = List.copyOf(except);
        when = List.copyOf(when);
        sets = List.copyOf(sets);
    }

    /// One whose answer is for everybody.
    public GatewayRule(
            PathMatch match,
            List<String> except,
            List<Condition> when,
            RuleAction action,
            List<Assignment> sets,
            boolean plain) {
        this(match, except, when, action, sets, plain, false);
    }

    /// A rule that sets nothing.
    public GatewayRule(
            PathMatch match, List<String> except, List<Condition> when, RuleAction action) {
        this(match, except, when, action, List.of(), false, false);
    }

    /// A variable that a rule sets.
    ///
    /// @param value made as [RuleAction.Forward#target], but not encoded; null takes it away
    public record Assignment(String name, @Nullable String value) {}

    /// A rule without exceptions and conditions.
    public static GatewayRule of(PathMatch match, RuleAction action) {
        return new GatewayRule(match, List.of(), List.of(), action);
    }

    /// The same with further conditions, which come before those it has.
    public GatewayRule onlyWhen(List<Condition> conditions) {
        List<Condition> all = new java.util.ArrayList<>(conditions);
        all.addAll(when);
        return GatewayRuleBuilder.builder(this).when(all).build();
    }

    /// Which paths a rule takes. The path is the canonical one: decoded once, without path
    /// parameters, empty and dot segments, so that a rule cannot be walked around by another
    /// spelling.
    public sealed interface PathMatch {
        /// Every path.
        PathMatch ANY = new Glob("*");

        /// Whether a path begins with a prefix as httpd compares the path of a `ProxyPass`: it is
        /// the path itself or one above it, or ends in a slash.
        static boolean isBelow(String path, String prefix) {
            return path.startsWith(prefix)
                    && (prefix.endsWith("/")
                            || path.length() == prefix.length()
                            || path.charAt(prefix.length()) == '/');
        }

        /// `*` stands for any run of characters, `?` for one; without either, the path itself.
        record Glob(String pattern) implements PathMatch {}

        /// The path itself and what lies below it; one that ends in a slash, what begins with it.
        record Prefix(String path) implements PathMatch {}

        /// A regular expression that is found somewhere in the path.
        ///
        /// @param anyCase whether upper and lower case are the same
        /// @param not whether the rule takes the paths in which it is not found
        record Regex(String regex, boolean anyCase, boolean not) implements PathMatch {}
    }

    /// What must hold beside the path.
    ///
    /// @param value text with `%{VARIABLE}`, see `RuleVariables`
    /// @param regex what must be found in it; or `-f`, `-d`, `-s`, `-l`, when it must be the path
    ///   of a file, a folder, a file that is not empty, a link
    /// @param or whether this one or the next must hold
    public record Condition(String value, String regex, boolean anyCase, boolean not, boolean or) {
        /// A condition on a variable.
        public static Condition of(String value, String regex) {
            return new Condition(value, regex, false, false, false);
        }

        /// Whether it depends on the file that a request is for.
        public boolean asksFile() {
            return value.contains("%{MAPPED_");
        }

        /// Whether it asks of a file instead of searching the value.
        public boolean isOfFile() {
            return FileTest.of(regex) != null;
        }
    }

    /// The name of the upstream of a rule that forwards, else null.
    public @Nullable String upstream() {
        return action instanceof RuleAction.Forward forward ? forward.upstream() : null;
    }
}
