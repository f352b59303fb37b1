/// Certificates that authorities issue by ACME.
module io.margay.acme {
    requires static io.soabase.recordbuilder.core;
    requires static java.compiler;
    requires static org.jspecify;
    requires io.margay.server;
    requires io.margay.transport;
    requires java.net.http;
    requires org.bouncycastle.pkix;
    requires org.bouncycastle.provider;
    requires org.shredzone.acme4j;

    provides io.margay.server.acme.AcmeClientProvider with
            io.margay.acme.AcmeOpener;
    provides io.margay.server.acme.StapleClientProvider with
            io.margay.acme.staple.StapleOpener;
}
