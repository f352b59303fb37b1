/// Compares what two servers answer to the same requests.
module io.margay.shadow {
    requires static org.jspecify;
    requires io.margay.gateway;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.jr.ob;
    requires org.jsoup;

    provides io.margay.gateway.mirror.ShadowProvider with
            io.margay.shadow.TrafficShadowProvider;
}
