package io.margay.gateway.forward;

import io.margay.gateway.balance.Upstream;
import io.margay.gateway.login.AuthService;
import io.margay.gateway.login.AuthServices;
import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.proxy.ProxyRules;
import io.margay.gateway.proxy.ProxyRulesBuilder;
import io.margay.gateway.proxy.ProxyTarget;
import io.margay.gateway.proxy.ReverseProxy;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.protocol.http.FieldList;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.DialingExchange;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.LogRate;
import io.margay.server.exchange.MemoryBudget;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Asks services that are reached by upstreams. Thread-safe: each is asked on the loop that carries
/// the request, by connections that are kept there.
public final class ForwardAuth implements AuthServices {
    private static final System.Logger LOG = System.getLogger("io.margay.gateway");
    private static final Set<Integer> GIVEN_TO_CLIENTS = Set.of(301, 302, 303, 307, 308, 401, 403);

    /// What most answers have is not counted.
    private static final int UNCOUNTED_BYTES = 8192;

    private static final String CHALLENGE = "WWW-Authenticate";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int SERVER_ERROR = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;

    private final Map<String, Upstream> upstreams;
    private final ReverseProxy proxy;
    private final int answerBytesMax;
    private final MemoryBudget memory;
    private final LongSupplier nanoClock;
    private final LogRate rate;

    /// @param proxy by which requests go to upstreams
    /// @param answerBytesMax content of an answer at most
    /// @param memory what clients make the server hold
    public ForwardAuth(
            Map<String, Upstream> upstreams,
            ReverseProxy proxy,
            int answerBytesMax,
            MemoryBudget memory,
            LongSupplier nanoClock) {
        this.upstreams = Map.copyOf(upstreams);
        this.proxy = proxy;
        this.answerBytesMax = answerBytesMax;
        this.memory = memory;
        this.nanoClock = nanoClock;
        rate = new LogRate(Duration.ofSeconds(10), nanoClock);
    }

    @Override
    public void ask(Exchange exchange, AuthService service, Consumer<LoginResult> then) {
        Upstream upstream = upstreams.get(service.upstream());
        if (upstream == null || !(exchange instanceof DialingExchange dialing)) {
            then.accept(new LoginResult.Failed());
            return;
        }
        Subrequest subrequest =
                new Subrequest(
                        dialing,
                        SubrequestFields.of(exchange, service),
                        said(exchange, service),
                        answerBytesMax,
                        memory.share(UNCOUNTED_BYTES),
                        ended -> exchange.execute(() -> answered(exchange, service, ended, then)));
        ProxyTarget target = new ProxyTarget(upstream, service.target(), rules(service));
        subrequest.begin(
                () -> proxy.ask(subrequest, dialing.carrier().dialer(), target),
                nanoClock.getAsLong() + service.timeout().toNanos());
    }

    /// What is told of the client by the usual fields, and nothing else: no session is kept, and no
    /// other protocol begins.
    private static ProxyRules rules(AuthService service) {
        boolean usual = service.telling() == null;
        return ProxyRulesBuilder.builder(ProxyRules.defaults())
                .keepHost(!usual)
                .forwarded(usual && ProxyRules.defaults().forwarded())
                .standardForwarded(usual && ProxyRules.defaults().standardForwarded())
                .passForwarded(!usual || ProxyRules.defaults().passForwarded())
                .upgrade(false)
                .replyTimeout(service.timeout())
                .failStatuses(List.of())
                .softFailStatuses(List.of())
                .build();
    }

    /// What the service is told in place of the usual, by the names of fields.
    private static @Nullable Map<String, String> said(Exchange exchange, AuthService service) {
        AuthService.Telling telling = service.telling();
        if (telling == null) {
            return null;
        }
        Map<String, String> values = new LinkedHashMap<>();
        telling.fields()
                .forEach((name, variable) ->
                        values.put(name, exchange.notes().variable(exchange, variable)));
        return values;
    }

    /// As nginx has it.
    private LoginResult result(
            Exchange exchange,
            AuthService service,
            AuthService.Telling telling,
            Subrequest answer) {
        int status = answer.isWhole() ? answer.status() : BAD_GATEWAY;
        Map<String, String> learned = new LinkedHashMap<>();
        telling.learned()
                .forEach((name, field) ->
                        learned.put(
                                name,
                                field.isEmpty()
                                        ? Integer.toString(status)
                                        : String.join(", ", answer.fields().all(field))));
        if (answer.isWhole()) {
            RuleRequest.learn(exchange, learned);
        }
        if (status >= 200 && status < 300) {
            return letIn(exchange, service, answer.fields());
        }
        if (status != UNAUTHORIZED && status != FORBIDDEN) {
            warn(service, "answers " + status);
            return new LoginResult.Refused(SERVER_ERROR);
        }
        if (status == UNAUTHORIZED) {
            answer.fields()
                    .all(CHALLENGE)
                    .forEach(value -> exchange.notes().addAtHead(CHALLENGE, value));
        }
        return new LoginResult.Refused(status);
    }

    private void answered(
            Exchange exchange, AuthService service, Subrequest answer, Consumer<LoginResult> then) {
        AuthService.Telling telling = service.telling();
        if (exchange.failure() == null) {
            then.accept(
                    telling == null
                            ? result(exchange, service, answer)
                            : result(exchange, service, telling, answer));
        }
    }

    private LoginResult result(Exchange exchange, AuthService service, Subrequest answer) {
        int failed = answer.isLate() ? GATEWAY_TIMEOUT : BAD_GATEWAY;
        int status = answer.isWhole() ? answer.status() : failed;
        if (status >= 200 && status < 300) {
            return letIn(exchange, service, answer.fields());
        }
        if (GIVEN_TO_CLIENTS.contains(status) && answer.isWhole()) {
            FieldList fields = answer.fields();
            Fields.Builder given = new Fields.Builder();
            for (int i = 0; i < fields.size(); i++) {
                if (!fields.nameIs(i, "content-length")) {
                    given.add(fields.name(i), fields.value(i));
                }
            }
            return new LoginResult.Answered(
                    new LoginAnswer(status, given.build(), answer.content()));
        }
        warn(service, "answers " + status);
        boolean ours = status >= BAD_GATEWAY && status <= GATEWAY_TIMEOUT;
        return new LoginResult.Refused(ours ? status : BAD_GATEWAY);
    }

    private LoginResult letIn(Exchange exchange, AuthService service, FieldList answer) {
        String user = service.user() == null ? "" : name(answer, service.user());
        if (user == null) {
            warn(service, "names a user that is none");
            return new LoginResult.Refused(BAD_GATEWAY);
        }
        exchange.replaceFields(
                SubrequestFields.copied(exchange.request().fields(), service.fields(), answer));
        for (String name : service.responseFields()) {
            answer.all(name).forEach(value -> exchange.notes().addAtHead(name, value));
        }
        Set<String> groups = new LinkedHashSet<>();
        if (service.groups() != null) {
            for (String line : answer.all(service.groups())) {
                for (String group : line.split(",")) {
                    if (!group.isBlank()) {
                        groups.add(text(group.strip()));
                    }
                }
            }
        }
        return new LoginResult.Right(new LoginUser(user, groups, true, LoginUser.SERVICE));
    }

    /// The name of the user; empty without one, null when there are several, or it is none.
    private static @Nullable String name(FieldList answer, String field) {
        List<String> all = answer.all(field);
        if (all.isEmpty()) {
            return "";
        }
        String name = text(all.getFirst().strip());
        boolean sound = name.chars().noneMatch(c -> c < ' ' || c == 0x7f);
        return all.size() == 1 && sound ? name : null;
    }

    /// UTF-8, else what older services send.
    private static String text(String octets) {
        byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return octets;
        }
    }

    private void warn(AuthService service, String what) {
        LOG.log(
                rate.isDue() ? Level.WARNING : Level.DEBUG,
                "auth-request admits nobody: {0} {1}",
                service.upstream(),
                what);
    }
}
