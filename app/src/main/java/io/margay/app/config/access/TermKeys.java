package io.margay.app.config.access;

import static io.margay.app.config.binding.Forms.*;

import io.margay.app.config.binding.Binding;
import io.margay.app.config.binding.Form;
import io.margay.app.config.binding.Keys;
import io.margay.app.config.file.login.DirectoryKeys;
import io.margay.app.config.rules.MatchKeys;
import io.margay.app.yaml.Settings;
import io.margay.app.yaml.Shape;
import io.margay.gateway.access.AccessTerm;
import io.margay.gateway.access.AccessTerm.Named;
import io.margay.gateway.access.OrderedAccess;
import io.margay.gateway.access.OrderedAccess.Entry;
import io.margay.gateway.access.OrderedAccess.Order;
import io.margay.gateway.access.OrderedAccess.Ordering;
import io.margay.gateway.access.OrderedAccess.Satisfied;
import io.margay.gateway.access.Requirement;
import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.rules.compiled.DistinguishedName;
import io.margay.gateway.rules.compiled.RequestConditions;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The keys that say what must hold of a request. Stateless.
public final class TermKeys {
    /// No group.
    private static final int NONE = -1;

    private static final int PARTS_MAX = 1000;

    /// Methods by their names.
    static final Form<List<String>> METHOD_NAMES =
            list("methods", text("a method", name -> name), 0);

    private static final Form<List<DistinguishedName.Part>> PARTS =
            list(
                    "parts of a name",
                    parsed("a part, as in OU=staff", DistinguishedName.Part::parse),
                    1);

    private static final Form<List<ClaimTest>> CLAIMS =
            list(
                    "claims",
                    parsed("a claim, as in department:sales", ClaimTest::parse, ClaimTest::text),
                    1);

    private static final Form<List<Network>> NETWORKS =
            list(
                    "networks",
                    parsed(
                            "an address or network, as in 10.0.0.0/8",
                            TermKeys::network,
                            Network::text),
                    1);

    private static final Keys<Methods> METHODS =
            Binding.of("methods", Methods.ALL)
                    .form(
                            "for",
                            METHOD_NAMES,
                            one -> one.except() ? null : sorted(one.names()),
                            (to, names) -> to.set("names", Set.copyOf(names)).set("except", false))
                    .form(
                            "except",
                            METHOD_NAMES,
                            one -> one.except() ? sorted(one.names()) : null,
                            (to, names) -> {
                                if (to.build().except()) {
                                    to.set("names", Set.copyOf(names));
                                }
                            })
                    .keys(
                            """
                            for [all]: Only for these methods.
                            except: Only for other methods than these.
                            """);

    /// A term, or the number of the next terms of which all or any must hold.
    ///
    /// @param term null where there is a number
    /// @param all -1 = there is none
    /// @param any -1 = there is none
    public record Term(@Nullable AccessTerm term, int all, int any, boolean not, Methods methods) {
        /// A term alone.
        static Term of(@Nullable AccessTerm term, boolean not, Methods methods) {
            return new Term(term, NONE, NONE, not, methods);
        }
    }

    /// A term, with its methods.
    public static final Binding<Term> TERM = term(false);

    private static final Binding<Term> REQUIRED = term(true);

    /// What lets a request in: any of some terms, of which groups hold others.
    static final Form<Requirement.Group> REQUIRE =
            new Form<>(
                    new Shape.Items("terms", REQUIRED.shape(), 0),
                    TermKeys::requirement,
                    (group, _) -> flat(group));

    /// Terms that must all hold.
    static final Form<List<Requirement>> ALWAYS =
            tests(
                    (term, one) -> new Requirement.Test(term, one.not(), one.methods()),
                    one ->
                            one instanceof Requirement.Test(var term, var not, var methods)
                                    ? Term.of(term, not, methods)
                                    : Term.of(new AccessTerm.Everybody(true), false, Methods.ALL));

    private static final Form<List<Entry>> ENTRIES =
            tests(
                    (term, one) -> new Entry(term, one.not(), one.methods()),
                    one -> Term.of(one.term(), one.not(), one.methods()));

    private static final Keys<Ordering> ORDER =
            Binding.of("an order", new Ordering(Order.DENY_ALLOW, Methods.ALL))
                    .keys(
                            """
                            is (order) [required]: Order of the lists; the last one that contains
                              the client decides.
                            """)
                    .part("methods", METHODS);

    private static final Keys<Satisfied> SATISFY =
            Binding.of("a word", new Satisfied(false, Methods.ALL))
                    .form("is", word(List.of(false, true), any -> any ? "any" : "all"))
                    .keys(
                            """
                            is (any) [required]: Both, or one.
                            """)
                    .part("methods", METHODS);

    /// Order, Allow, Deny and Satisfy.
    static final Keys<OrderedAccess> ORDERED =
            Binding.of("an order", new OrderedAccess(List.of(), List.of(), List.of(), List.of()))
                    .form("order", list("orders", section(ORDER), 0))
                    .form("allow", ENTRIES)
                    .form("deny", ENTRIES)
                    .form("satisfy", list("words", section(SATISFY), 0))
                    .keys(
                            """
                            order (orders) [deny-allow]: As httpd 2.2.
                            allow (allowed): As httpd 2.2.
                            deny (denied): As httpd 2.2.
                            satisfy (satisfied) [all]: Whether both `require` and `order` must allow
                              a request.
                            """);

    private TermKeys() {}

    private static Binding<Term> term(boolean groups) {
        Binding<Term> keys = ofConnections(ofUsers());
        keys = keys.exactlyOne(keys.shapes().stream().map(Shape.Key::name).toList());
        if (groups) {
            keys =
                    keys.form("all", whole(0, PARTS_MAX))
                            .form("any", whole(0, PARTS_MAX))
                            .keys(
                                    """
                                    all [=none]: Groups this many following terms, all of which must
                                      hold.
                                    any [=none]: Any of them.
                                    """)
                            .exactlyOne("all", "any");
        }
        return keys.keys("not: Negates the term; in `require` it can only refuse.")
                .part("methods", METHODS);
    }

    private static Binding<Term> ofUsers() {
        return Binding.of("a term", Term.of(null, false, Methods.ALL))
                .form("claim", CLAIMS)
                .form("ldap", list("questions", DirectoryKeys.QUESTION, 1))
                .keys(
                        """
                        everybody (term Everybody): Everybody, or nobody.
                        any-user (term AnyUser): Any authenticated user.
                        user (term User) <names, at least one, each a name>: Authenticated users
                          with these names.
                        group (term Group) <names, at least one, each a name>: Authenticated users
                          of these groups.
                        claim (term Claim): Users with one of these OpenID claims: `name:value`, or
                          `name~expression`.
                        ldap (term Asked): Users for whom the directory confirms one of these
                          `questions`.
                        """);
    }

    private static Binding<Term> ofConnections(Binding<Term> keys) {
        return keys.form("from", NETWORKS)
                .form(
                        "subject",
                        PARTS,
                        term -> parts(term, false),
                        (to, parts) -> to.set("term", new Named(parts, false)))
                .form(
                        "issuer",
                        PARTS,
                        term -> parts(term, true),
                        (to, parts) -> to.set("term", new Named(parts, true)))
                .form("method", METHOD_NAMES.as(Methods::of, all -> sorted(all.names())))
                .form(
                        "when",
                        MatchKeys.CONDITIONS.as(
                                RequestConditions::of, RequestConditions::conditions))
                .keys(
                        """
                        from (term From): Clients with these addresses.
                        local (term Local): Clients on this machine.
                        tls (term Tls): Requests over TLS.
                        certificate (term Certificate): Clients with a certificate.
                        subject: Clients whose certificate's subject has all these parts.
                        issuer: The same for the issuer.
                        method (term Method): Requests with these methods.
                        variable (term Variable) <a name>: Requests with this variable set.
                        when (term Holds): Further conditions.
                        """);
    }

    private static @Nullable List<DistinguishedName.Part> parts(Term term, boolean ofIssuer) {
        return term.term() instanceof Named(var parts, var issuer) && issuer == ofIssuer
                ? parts
                : null;
    }

    private static <T> Form<List<T>> tests(
            BiFunction<AccessTerm, Term, T> to, Function<T, Term> from) {
        return list("terms", section(TERM), 0)
                .as(
                        terms -> terms.stream().flatMap(one -> made(one, to)).toList(),
                        all -> all.stream().map(from).toList());
    }

    /// Nothing where the term is malformed, which has been reported.
    private static <T> Stream<T> made(Term one, BiFunction<AccessTerm, Term, T> to) {
        AccessTerm term = one.term();
        return term == null ? Stream.empty() : Stream.of(to.apply(term, one));
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted().toList();
    }

    private static Network network(String text) {
        return Network.parse(text).orElseThrow(() -> new IllegalArgumentException(""));
    }

    private static Requirement.@Nullable Group requirement(
            Object value, Form.Spot at, Requirement.@Nullable Group otherwise) {
        Iterator<?> terms = ((List<?>) value).iterator();
        List<Requirement> parts = new ArrayList<>();
        while (terms.hasNext()) {
            next(terms, at, parts);
        }
        return parts.isEmpty() ? null : Requirement.any(parts);
    }

    /// Reads a term with those that belong to it.
    private static void next(Iterator<?> terms, Form.Spot at, List<Requirement> to) {
        Settings section = (Settings) terms.next();
        Term term = REQUIRED.read(section, REQUIRED.defaults(), at.reading());
        int count = Math.max(term.all(), term.any());
        if (term.term() != null) {
            to.add(new Requirement.Test(term.term(), term.not(), term.methods()));
        }
        if (count == NONE) {
            return;
        }
        List<Requirement> parts = new ArrayList<>();
        for (int i = count; i > 0; i--) {
            if (!terms.hasNext()) {
                at.reading()
                        .problem(
                                section,
                                term.all() == NONE ? "any" : "all",
                                "fewer terms than that follow it");
                break;
            }
            next(terms, at, parts);
        }
        to.add(new Requirement.Group(term.all() != NONE, term.not(), term.methods(), parts));
    }

    private static List<Object> flat(Requirement.Group group) {
        List<Object> written = new ArrayList<>();
        group.parts().forEach(part -> flat(part, written));
        return written;
    }

    private static void flat(Requirement part, List<Object> to) {
        switch (part) {
            case Requirement.Test(AccessTerm term, boolean not, Methods methods) ->
                    to.add(REQUIRED.write(Term.of(term, not, methods), REQUIRED.defaults()));
            case Requirement.Group(
                            boolean all,
                            boolean not,
                            Methods methods,
                            List<Requirement> parts) -> {
                int count = parts.size();
                Term head =
                        new Term(
                                null,
                                all ? count : NONE,
                                all ? NONE : count,
                                not,
                                methods == null ? Methods.ALL : methods);
                to.add(REQUIRED.write(head, REQUIRED.defaults()));
                parts.forEach(inner -> flat(inner, to));
            }
        }
    }
}
