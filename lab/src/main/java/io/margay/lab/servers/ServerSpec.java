package io.margay.lab.servers;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// One column of a comparison: a server, or a front end and the server behind it, once or several
/// times: `tomcat:nio`, `nginx/tomcat:nio`, `httpd:mod_jk/tomcat:nio*2`. Immutable.
///
/// @param front the front end, or the only server
/// @param backs the servers behind it, all of one kind; often none
public record ServerSpec(String name, LabServer front, List<LabServer> backs) {
    public ServerSpec {
        backs = List.copyOf(backs);
    }

    /// What clients get from it: content of the back end over the protocols of the front end.
    public Set<Feature> features() {
        if (backs.isEmpty()) {
            return front.features();
        }
        Set<Feature> features = EnumSet.copyOf(backs.getFirst().features());
        features.remove(Feature.AJP);
        for (Feature wire :
                List.of(Feature.HTTPS, Feature.HTTP2, Feature.HTTP2_CLEAR, Feature.HTTP3)) {
            features.remove(wire);
            if (front.features().contains(wire)) {
                features.add(wire);
            }
        }
        return features;
    }

    public String title() {
        if (backs.isEmpty()) {
            return front.title();
        }
        String behind = backs.getFirst().title();
        return front.title() + " → " + (backs.size() == 1 ? "" : backs.size() + " × ") + behind;
    }

    /// Front end and back ends, each kind once.
    public List<LabServer> kinds() {
        List<LabServer> kinds = new ArrayList<>();
        kinds.add(front);
        if (!backs.isEmpty()) {
            kinds.add(backs.getFirst());
        }
        return kinds;
    }

    /// The first thing that is missing, or that all is there.
    public Availability availability(LabEnvironment here) {
        for (LabServer kind : kinds()) {
            Availability found = kind.availability(here);
            if (!found.ready()) {
                return found;
            }
        }
        return Availability.HERE;
    }

    /// A name for a folder.
    public String folder() {
        return name.replaceAll("[^A-Za-z0-9._-]", "-");
    }
}
