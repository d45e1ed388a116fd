export const languages = ["en", "ru", "pt", "de", "es", "fr"] as const;

export type Language = (typeof languages)[number];

/** Texts of the error pages for customers who follow a short link that does not work. */
export const texts: Readonly<Record<Language, { readonly title: string; readonly body: string; readonly failed: string }>> = {
  en: {
    title: "This payment link does not work",
    body: "The address may have been copied incompletely. Check it, or ask the seller for a new link. You have not been charged.",
    failed: "Something failed on our side. Please try the link again in a minute.",
  },
  ru: {
    title: "Эта ссылка на оплату не работает",
    body: "Возможно, адрес скопирован не полностью. Проверьте его или попросите у продавца новую ссылку. Деньги с вас не списаны.",
    failed: "Произошёл сбой на нашей стороне. Откройте ссылку ещё раз через минуту.",
  },
  pt: {
    title: "Este link de pagamento não funciona",
    body: "O endereço pode ter sido copiado de forma incompleta. Confira-o ou peça um novo link ao vendedor. Nada foi cobrado.",
    failed: "Algo falhou do nosso lado. Tente abrir o link novamente em um minuto.",
  },
  de: {
    title: "Dieser Zahlungslink funktioniert nicht",
    body: "Vielleicht wurde die Adresse unvollständig kopiert. Bitte prüfen Sie sie oder fragen Sie beim Verkäufer nach einem neuen Link. Es wurde nichts abgebucht.",
    failed: "Bei uns ist etwas schiefgegangen. Bitte öffnen Sie den Link in einer Minute noch einmal.",
  },
  es: {
    title: "Este enlace de pago no funciona",
    body: "Es posible que la dirección se haya copiado incompleta. Compruébela o pida un enlace nuevo al vendedor. No se le ha cobrado nada.",
    failed: "Algo ha fallado por nuestra parte. Vuelva a abrir el enlace dentro de un minuto.",
  },
  fr: {
    title: "Ce lien de paiement ne fonctionne pas",
    body: "L’adresse a peut-être été copiée incomplètement. Vérifiez-la ou demandez un nouveau lien au vendeur. Vous n’avez pas été débité.",
    failed: "Un problème est survenu de notre côté. Rouvrez le lien dans une minute.",
  },
};
