/// Logs users in at OpenID providers.
module io.margay.login.oidc {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires io.margay.gateway;
    requires java.net.http;
    requires com.nimbusds.jose.jwt;
    requires oauth2.oidc.sdk;

    provides io.margay.gateway.login.OpenIdProvider with
            io.margay.login.oidc.OidcProvider;
}
