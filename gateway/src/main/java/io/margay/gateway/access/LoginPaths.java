package io.margay.gateway.access;

import io.margay.gateway.forward.SubrequestFields;
import io.margay.gateway.login.LoginAnswer;
import io.margay.gateway.login.LoginCheck;
import io.margay.gateway.login.LoginResult;
import io.margay.gateway.login.Logins;
import io.margay.gateway.login.OpenIdClient;
import io.margay.gateway.rules.compiled.RuleDecision;
import io.margay.gateway.rules.compiled.RuleRequest;
import io.margay.protocol.http.Fields;
import io.margay.server.exchange.Exchange;
import io.margay.server.exchange.ExchangeNotes;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What logins of a host need before anything is decided: paths of their own, and fields and
/// cookies that nobody else sees. Immutable.
final class LoginPaths {
    private final Logins logins;
    private final Set<OpenIdClient> clients;

    /// Names of fields that only this server may say.
    private final Set<String> reserved;

    /// Whether they have been taken out of a request.
    private final ExchangeNotes.Key<Boolean> taken = new ExchangeNotes.Key<>(Boolean.class);

    LoginPaths(HostAccess access, Logins logins) {
        this.logins = logins;
        clients = access.clients();
        reserved = access.reserved();
    }

    /// Takes from a request, once, what is not for others to say or to see.
    ///
    /// @return what a path gets by which users log in and out, whatever rules and sections say;
    ///   null for others
    @Nullable RuleDecision decide(Exchange exchange) {
        if (!reserved.isEmpty() && exchange.notes().get(taken) == null) {
            exchange.notes().put(taken, Boolean.TRUE);
            exchange.notes().reserve(reserved);
            Fields others = SubrequestFields.without(exchange.request().fields(), reserved);
            if (others != null) {
                exchange.replaceFields(others);
            }
        }
        return clients.isEmpty() ? null : own(exchange);
    }

    private @Nullable RuleDecision own(Exchange exchange) {
        logins.takeCookies(exchange, clients);
        String path = RuleRequest.of(exchange).path();
        OpenIdClient client = OpenIdClient.ofPath(clients, path);
        if (client == null) {
            return null;
        }
        return switch (logins.own(client, path, exchange)) {
            case LoginResult.Answered(LoginAnswer answer) -> new RuleDecision.Answer(answer);
            case LoginResult.Unknown(LoginCheck check) -> new RuleDecision.Verify(check);
            case LoginResult.Refused(int status) -> new RuleDecision.Refuse(status);
            case LoginResult.Busy _ -> new RuleDecision.Refuse(503);
            case LoginResult.Failed _, LoginResult.Right _, LoginResult.Wrong _ ->
                    new RuleDecision.Refuse(500);
        };
    }
}
