package io.margay.servlet.security;

import io.margay.server.exchange.MemoryBudget;
import io.margay.servlet.descriptor.WebAppDescriptor.LoginDef;
import io.margay.servlet.descriptor.WebAppException;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Logs users of one application in as its `login-config` says. Immutable; what a client has shown
/// is kept in its session.
public final class ContainerAuthenticator implements Authenticator {
    private final Realm realm;
    private final LoginMethod method;
    private final @Nullable SingleSignOn signOn;

    /// @param signOn with the other applications of the host; null = a log-in is for this one
    /// @param login null = the application names no way to log in
    /// @param memory what clients may make the server hold before they have logged in
    /// @throws WebAppException when the way is not supported, or incomplete
    public ContainerAuthenticator(
            @Nullable LoginDef login,
            Realm realm,
            MemoryBudget memory,
            @Nullable SingleSignOn signOn) {
        this.realm = realm;
        this.signOn = signOn;
        this.method = method(login, realm, memory);
    }

    private static LoginMethod method(@Nullable LoginDef login, Realm realm, MemoryBudget memory) {
        String name = login == null ? null : login.method();
        if (login == null || name == null) {
            return new LoginMethod.None();
        }
        String realmName = login.realm() == null ? "Authentication required" : login.realm();
        return switch (name) {
            case "BASIC" -> new LoginMethod.Basic(realmName, realm);
            case "FORM" -> {
                String page = login.formLoginPage();
                String error = login.formErrorPage();
                if (page == null || error == null) {
                    throw new WebAppException(
                            "login-config: FORM needs form-login-page and form-error-page");
                }
                yield new LoginMethod.Form(
                        new FormLogin(page, error, realm, new PutOffRequests(memory)));
            }
            case "DIGEST" ->
                    new LoginMethod.Digest(
                            new DigestLogin(
                                    BasicCredentials.printable(realmName),
                                    realm,
                                    new Nonces(System::nanoTime)));
            case "CLIENT-CERT" -> new LoginMethod.Certificate(realm);
            case "NONE" -> new LoginMethod.None();
            default ->
                    throw new WebAppException(
                            "login-config: auth-method "
                                    + name
                                    + " is not one of BASIC, DIGEST, FORM, CLIENT-CERT and NONE");
        };
    }

    @Override
    public boolean hasMethod() {
        return !(method instanceof LoginMethod.None);
    }

    @Override
    public void recall(HttpServletRequest request, Session session) {
        KeptLogin kept = KeptLogin.recalled(request, realm);
        if (kept.lasts()) {
            session.identity(kept.identity());
            FormLogin.recall(request, session, kept);
        }
        Identity known = signOn == null ? null : signOn.recall(request, realm);
        if (known != null && session.identity() == null) {
            session.identity(known);
        }
    }

    @Override
    public Decision authorize(
            HttpServletRequest request,
            HttpServletResponse response,
            Session session,
            AccessRequirement requirement)
            throws IOException, ServletException {
        if (method instanceof LoginMethod.Form(FormLogin pages)
                && FormLogin.isSubmission(request)) {
            User user = pages.submit(request, response);
            if (user != null && signOn != null) {
                String password = FormLogin.password(request);
                signOn.enter(request, session, user, method.name(), password);
            }
            return Decision.ANSWERED;
        }
        if (requirement.denied() || (requirement.confidential() && !request.isSecure())) {
            return refuse(response);
        }
        if (!requirement.needsUser()) {
            return Decision.PROCEED;
        }
        Identity identity = session.identity();
        if (identity == null) {
            identity = authenticate(request, response, session);
            if (identity == null) {
                return Decision.ANSWERED;
            }
            session.identity(identity);
        } else if (signOn != null) {
            signOn.hold(request);
        }
        if (!requirement.allows(identity.roles())) {
            return refuse(response);
        }
        // What is for one user is not for a shared cache, unless the application says so.
        response.setHeader("Cache-Control", "private");
        return Decision.PROCEED;
    }

    private static Decision refuse(HttpServletResponse response) throws IOException {
        response.sendError(HttpServletResponse.SC_FORBIDDEN);
        return Decision.ANSWERED;
    }

    @Override
    public @Nullable Identity authenticate(
            HttpServletRequest request, HttpServletResponse response, Session session)
            throws IOException, ServletException {
        User user = method.identify(request, response);
        if (user == null) {
            return null;
        }
        BasicCredentials shown =
                method instanceof LoginMethod.Basic
                        ? BasicCredentials.parse(request.getHeader("Authorization"))
                        : null;
        String password = shown == null ? null : shown.password();
        return enter(request, session, user, password, method.lasts());
    }

    @Override
    public @Nullable Identity login(
            HttpServletRequest request, Session session, String name, String password) {
        User user = realm.authenticateOrNobody(name, password);
        return user == null ? null : enter(request, session, user, password, true);
    }

    private Identity enter(
            HttpServletRequest request,
            Session session,
            User user,
            @Nullable String password,
            boolean lasts) {
        Identity identity = new Identity(user.principal(), user.roles(), method.name());
        KeptLogin.enter(request, identity, lasts);
        if (signOn != null) {
            signOn.enter(request, session, user, method.name(), password);
        }
        return identity;
    }

    @Override
    public void logout(HttpServletRequest request) {
        KeptLogin.forget(request);
        if (signOn != null) {
            signOn.signOff(request);
        }
    }
}
