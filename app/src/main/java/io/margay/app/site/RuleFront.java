package io.margay.app.site;

import io.margay.gateway.access.AccessGate;
import io.margay.gateway.balance.NamedUpstreams;
import io.margay.gateway.balance.Upstream;
import io.margay.gateway.config.PeerScheme;
import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginCheck;
import io.margay.gateway.proxy.ProxyTarget;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.gateway.rules.ErrorPage;
import io.margay.gateway.rules.RuleAction;
import io.margay.gateway.rules.compiled.HostExchangeRules;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.protocol.http.CanonicalPath;
import io.margay.protocol.http.Fields;
import io.margay.protocol.http.PercentEncoding;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.Handler;
import io.margay.server.files.FileRules;
import io.margay.server.files.FolderPage;
import io.margay.server.files.StaticFiles;
import io.margay.server.host.Passage;
import io.margay.server.host.Routes;
import io.margay.server.host.Stage;
import io.margay.server.host.Stage.Outcome;
import io.margay.server.host.StatusResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Answers what the rules of a host say, and refuses whom they may not serve, before its routes are
/// asked. Immutable.
final class RuleFront {
    /// The status of rules that close the connection.
    private static final int WITHOUT_ANSWER = 444;

    private final AccessGate gate;
    private final NamedUpstreams upstreams;
    private final Map<RuleAction.Page, Handler> pages;
    private final ReverseProxy proxy;

    RuleFront(
            AccessGate gate,
            NamedUpstreams upstreams,
            Map<RuleAction.Page, Handler> pages,
            ReverseProxy proxy) {
        this.gate = gate;
        this.pages = Map.copyOf(pages);
        this.upstreams = upstreams;
        this.proxy = proxy;
    }

    /// The stage that asks rules, sections and logins.
    ///
    /// @param routes where files are that answer in the place of others
    Stage stage(Routes routes) {
        return (exchange, passage) ->
                passage.handler() != null ? Outcome.PASSES : decide(exchange, passage, routes);
    }

    /// Has the rules asked for limits that depend on what they say.
    void askRules(Exchange exchange) {
        gate.askRules(exchange);
    }

    private Outcome decide(Exchange exchange, Passage passage, Routes routes) {
        RuleDecision decision = gate.decide(exchange);
        if (decision instanceof RuleDecision.Verify(LoginCheck check)) {
            int visit = passage.visit();
            check.begin(() -> passage.resume(visit, (one, on) -> decide(one, on, routes)));
            return Outcome.WAITS;
        }
        Handler handler = handler(decision, routes);
        if (handler != null) {
            passage.answerBy(handler);
        }
        return Outcome.PASSES;
    }

    /// What answers a request, or null when its routes do.
    private @Nullable Handler handler(RuleDecision decision, Routes routes) {
        return switch (decision) {
            case RuleDecision.Routes _ -> null;
            case RuleDecision.Again _ -> it -> StatusResponse.plain(it, 500);
            case RuleDecision.Other(CanonicalPath path) ->
                    routes.find(path.path()) instanceof StaticFiles files
                            ? it -> files.handle(it, path)
                            : it -> StatusResponse.plain(it, 404);
            case RuleDecision.Forward forward -> forward(forward);
            case RuleDecision.Redirect(int status, String location) ->
                    it -> redirect(it, status, location);
            case RuleDecision.Refuse(int status) ->
                    status == WITHOUT_ANSWER
                            ? Exchange::abort
                            : it -> StatusResponse.plain(it, status);
            case RuleDecision.NotAllowed(String allow) -> it -> notAllowed(it, allow);
            case RuleDecision.Challenge(String field) -> it -> challenge(it, field);
            case RuleDecision.Answer(LoginAnswer answer) -> it -> answer(it, answer);
            case RuleDecision.Verify _ -> throw new IllegalStateException("it waits");
            case RuleDecision.Page(RuleAction.Page page) -> pages.get(page);
        };
    }

    /// Which files are sent.
    FileRules files() {
        return !gate.judgesFiles()
                ? FileRules.NONE
                : new FileRules() {
                    @Override
                    public FileRule of(Exchange exchange, Path file) {
                        return gate.of(exchange, file);
                    }

                    @Override
                    public @Nullable FolderPage listing(Exchange exchange, CanonicalPath path) {
                        return gate.listing(exchange, path);
                    }
                };
    }

    /// What the host has for the paths of pages.
    HostExchangeRules.Pages pages(Routes routes) {
        return new HostExchangeRules.Pages() {
            @Override
            public boolean opens(Exchange exchange, String path) {
                return gate.opens(exchange, path);
            }

            @Override
            public boolean answers(Exchange exchange, int status, ErrorPage.Content.Asked by)
                    throws IOException {
                return RuleFront.this.answers(exchange, status, by, routes);
            }
        };
    }

    /// Has another path answer in the place of an error; false where it does not.
    private boolean answers(
            Exchange exchange, int status, ErrorPage.Content.Asked by, Routes routes)
            throws IOException {
        if (exchange instanceof ErrorExchange
                || !(exchange instanceof DialingExchange dialing)
                || exchange.committed()) {
            return false;
        }
        RuleDecision decision = gate.instead(exchange, status, by.target());
        Handler page =
                switch (decision) {
                    case RuleDecision.Other(CanonicalPath path) ->
                            routes.find(path.path()) instanceof StaticFiles files
                                    ? it -> files.handle(it, path)
                                    : null;
                    case RuleDecision.Forward forward -> forward(forward);
                    case RuleDecision.Redirect(int other, String location) ->
                            it -> redirect(it, other, location);
                    case RuleDecision.Routes _,
                            RuleDecision.Again _,
                            RuleDecision.Refuse _,
                            RuleDecision.NotAllowed _,
                            RuleDecision.Challenge _,
                            RuleDecision.Answer _,
                            RuleDecision.Verify _,
                            RuleDecision.Page _ ->
                            null;
                };
        if (page == null) {
            return false;
        }
        exchange.notes().page();
        boolean redirects = decision instanceof RuleDecision.Redirect;
        int sent =
                by.status() == ErrorPage.Content.Asked.OF_SERVERS
                        ? isOfServer(decision) ? ErrorPage.Content.Asked.OF_PAGE : by.status()
                        : redirects ? ErrorPage.Content.Asked.OF_PAGE : by.status();
        page.handle(new ErrorExchange(dialing, status, by.target(), sent));
        return true;
    }

    /// Whether a server answers that says its status itself, as programs need not.
    private boolean isOfServer(RuleDecision decision) {
        Upstream upstream =
                decision instanceof RuleDecision.Forward forward && forward.script() == null
                        ? upstreams.get(forward.upstream())
                        : null;
        return upstream != null
                && upstream.peers().stream()
                        .noneMatch(peer -> peer.config().address().scheme() == PeerScheme.FCGI);
    }

    private Handler forward(RuleDecision.Forward forward) {
        Upstream upstream = upstreams.get(forward.upstream());
        return new Forwarded(
                forward.rule(),
                forward.upstream() + ' ' + forward.target(),
                upstream == null
                        ? it -> StatusResponse.plain(it, 503)
                        : it ->
                                proxy.forward(
                                        it,
                                        new ProxyTarget(
                                                upstream,
                                                forward.target(),
                                                forward.rule().rules(),
                                                forward.script())));
    }

    /// What sends a request to an upstream, with the action of the rule that has said so.
    ///
    /// @param target where it goes: the upstream's name and the target there
    record Forwarded(RuleAction.Forward action, String target, Handler by) implements Handler {
        @Override
        public void handle(Exchange exchange) throws IOException {
            by.handle(exchange);
        }
    }

    private static void notAllowed(Exchange exchange, String allow) throws IOException {
        exchange.fields().set("Allow", allow);
        StatusResponse.plain(exchange, 405);
    }

    /// The client gets it as the service has said it.
    private static void answer(Exchange exchange, LoginAnswer answer) throws IOException {
        exchange.status(answer.status());
        Fields fields = answer.fields();
        for (int i = 0; i < fields.size(); i++) {
            exchange.fields().add(fields, i);
        }
        exchange.end(answer.content(), 0, answer.content().length);
    }

    private static void challenge(Exchange exchange, String field) throws IOException {
        exchange.fields().set("WWW-Authenticate", field);
        StatusResponse.plain(exchange, 401);
    }

    private static void redirect(Exchange exchange, int status, String location)
            throws IOException {
        // A fragment is the configuration's: those of requests are encoded.
        int hash = location.indexOf('#');
        String before = hash < 0 ? location : location.substring(0, hash);
        String fragment =
                hash < 0 ? "" : "#" + PercentEncoding.target(location.substring(hash + 1));
        exchange.fields().set("Location", PercentEncoding.target(before) + fragment);
        StatusResponse.plain(exchange, status);
    }
}
