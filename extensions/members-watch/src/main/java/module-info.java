/// Members of upstreams from APIs that are watched: Kubernetes, etcd.
module io.margay.members.watch {
    requires static org.jspecify;
    requires com.fasterxml.jackson.jr.ob;
    requires io.margay.gateway;
    requires java.net.http;

    provides io.margay.gateway.discovery.MemberFinderProvider with
            io.margay.members.watch.WatchProvider;
}
