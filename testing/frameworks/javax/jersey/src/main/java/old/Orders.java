package old;

import java.util.Collections;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.ApplicationPath;
import javax.ws.rs.FormParam;
import javax.ws.rs.GET;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Application;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;

/// Orders as resources.
@ApplicationPath("/api")
public class Orders extends Application {
    @Override
    public Set<Class<?>> getClasses() {
        return Collections.<Class<?>>singleton(Resource.class);
    }

    /// The resource.
    @Path("orders")
    public static class Resource {
        @POST
        public Response order(
                @FormParam("item") String item,
                @Context HttpServletRequest request,
                @Context UriInfo uri) {
            request.getSession().setAttribute("item", item);
            return Response.created(uri.getAbsolutePathBuilder().path("1").build()).build();
        }

        @GET
        @Path("{id}")
        @Produces("text/plain")
        public String get(@PathParam("id") int id, @Context HttpServletRequest request) {
            Object item = request.getSession().getAttribute("item");
            if (id != 1) {
                throw new NotFoundException("no order " + id);
            }
            return "ordered " + item;
        }
    }
}
