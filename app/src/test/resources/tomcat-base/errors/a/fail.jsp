<% response.sendError(Integer.parseInt(request.getParameter("status")), "the reason"); %>
