package io.margay.gateway.access;

import io.margay.gateway.access.match.ClaimTest;
import io.margay.gateway.access.match.Methods;
import io.margay.gateway.access.match.Network;
import io.margay.gateway.directory.DirectoryQuestion;
import io.margay.gateway.login.LoginUser;
import io.margay.gateway.rules.compiled.DistinguishedName;
import io.margay.gateway.rules.compiled.RequestConditions;
import io.margay.server.exchange.TlsInfo;
import java.net.InetAddress;
import java.security.cert.X509Certificate;
import java.util.List;

/// What may hold of a request or of who sends it. Immutable.
public sealed interface AccessTerm {
    /// Of all or of none.
    record Everybody(boolean granted) implements AccessTerm {}

    /// The client's address is of one of the networks.
    record From(List<Network> networks) implements AccessTerm {
        public From {
            networks = List.copyOf(networks);
        }
    }

    /// The client is on this machine.
    record Local() implements AccessTerm {}

    /// It came by TLS.
    record Tls() implements AccessTerm {}

    /// The client has shown a certificate.
    record Certificate() implements AccessTerm {}

    /// It has shown one with these parts in a name.
    ///
    /// @param ofIssuer whether the name is that of who has signed it
    record Named(List<DistinguishedName.Part> parts, boolean ofIssuer) implements AccessTerm {
        public Named {
            parts = List.copyOf(parts);
        }

        private boolean holds(List<X509Certificate> shown) {
            if (shown.isEmpty()) {
                return false;
            }
            X509Certificate own = shown.getFirst();
            DistinguishedName name =
                    DistinguishedName.of(
                            ofIssuer
                                    ? own.getIssuerX500Principal()
                                    : own.getSubjectX500Principal());
            return parts.stream().allMatch(name::has);
        }
    }

    /// It has one of the methods.
    record Method(Methods methods) implements AccessTerm {}

    /// A variable is set, though perhaps to nothing.
    record Variable(String name) implements AccessTerm {}

    /// Conditions hold.
    record Holds(RequestConditions conditions) implements AccessTerm {}

    /// Somebody has logged in.
    record AnyUser() implements AccessTerm {}

    /// One of these has.
    record User(List<String> names) implements AccessTerm {
        public User {
            names = List.copyOf(names);
        }
    }

    /// Somebody of one of these groups has.
    record Group(List<String> names) implements AccessTerm {
        public Group {
            names = List.copyOf(names);
        }
    }

    /// Somebody has logged in of whom a provider tells one of these.
    record Claim(List<ClaimTest> tests) implements AccessTerm {
        public Claim {
            tests = List.copyOf(tests);
        }
    }

    /// Somebody has logged in of whom a directory answers one of these with yes.
    record Asked(List<DirectoryQuestion> questions) implements AccessTerm {
        public Asked {
            questions = List.copyOf(questions);
        }
    }

    /// Whether it depends on who has logged in.
    default boolean isOfUser() {
        return this instanceof AnyUser
                || this instanceof User
                || this instanceof Group
                || this instanceof Claim
                || this instanceof Asked;
    }

    /// Whether it may depend on what is asked for: variables are set by it.
    default boolean isOfPath() {
        return switch (this) {
            case Variable _, Holds _ -> true;
            case Everybody _,
                    From _,
                    Local _,
                    Tls _,
                    Certificate _,
                    Named _,
                    Method _,
                    AnyUser _,
                    User _,
                    Group _,
                    Claim _,
                    Asked _ ->
                    false;
        };
    }

    /// Whether it holds.
    default boolean holds(AccessRequest request) {
        return switch (this) {
            case Everybody(boolean granted) -> granted;
            case From(List<Network> networks) -> {
                InetAddress client = request.client();
                yield client != null && networks.stream().anyMatch(one -> one.contains(client));
            }
            case Local _ -> {
                InetAddress client = request.client();
                yield client != null
                        && (client.isLoopbackAddress() || client.equals(request.local()));
            }
            case Tls _ -> request.request().scheme().equals("https");
            case Certificate _ -> request.request().hasCertificate();
            case Named named -> {
                TlsInfo tls = request.request().tls();
                yield tls != null && named.holds(tls.peerCertificates());
            }
            case Method(Methods methods) -> methods.has(request.method());
            case Variable(String name) -> request.request().variables().containsKey(name);
            case Holds(RequestConditions conditions) -> conditions.hold(request.request());
            case AnyUser _ -> request.user() != null;
            case User(List<String> names) -> {
                LoginUser user = request.user();
                yield user != null && names.contains(user.name());
            }
            case Group(List<String> names) -> {
                LoginUser user = request.user();
                yield user != null && names.stream().anyMatch(user::isIn);
            }
            case Asked(List<DirectoryQuestion> questions) -> {
                LoginUser user = request.user();
                List<String> answers =
                        user == null
                                ? List.of()
                                : user.claims().getOrDefault(LoginUser.ANSWERS, List.of());
                yield questions.stream().anyMatch(one -> answers.contains(one.text()));
            }
            case Claim(List<ClaimTest> tests) -> {
                LoginUser user = request.user();
                yield user != null
                        && tests.stream()
                                .anyMatch(one ->
                                        one.holds(
                                                user.claims().getOrDefault(one.name(), List.of())));
            }
        };
    }
}
